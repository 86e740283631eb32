import { errors } from '@astropelago/contract/errors'
import { ApiError, ConnectionError } from '../../lib/api-error.ts'

/** What Connect says of a device that could not be created: its word, and the sentence beside it. */
export function createFailure(error: unknown): string {
  return `create_failed: ${sentenceOf(error)}`
}

/** What Connect says of a token that could not be made: the answer's own error, or its word. */
export function tokenFailure(error: unknown): string {
  // The sentence is the answer's error, unless that is a code.
  if (error instanceof ApiError && error.error) return error.sentence
  return `token_failed: ${sentenceOf(error)}`
}

function sentenceOf(error: unknown): string {
  const isKnown = error instanceof ApiError || error instanceof ConnectionError
  return isKnown && error.sentence ? error.sentence : errors.server_error.sentence
}
