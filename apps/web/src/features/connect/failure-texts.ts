import { ApiError } from '../../lib/api-error.ts'
import { errorSentence } from '../../lib/error-sentence.ts'
import { connectionFailed } from '../../lib/failure-text.ts'
import { ConnectionError } from '../../lib/fetch-answer.ts'

/** The text for a device that could not be created: the error word and an explanation. */
export function createFailure(error: unknown): string {
  return `create_failed: ${sentenceOf(error)}`
}

/** The text for a token that could not be created: the server's own error or the error word. */
export function tokenFailure(error: unknown): string {
  // `sentence` is the server's error text, unless that is a code.
  if (error instanceof ApiError && error.error) return error.sentence
  return `token_failed: ${sentenceOf(error)}`
}

function sentenceOf(error: unknown): string {
  if (error instanceof ConnectionError) return connectionFailed
  return (error instanceof ApiError && error.sentence) || errorSentence('server_error')
}
