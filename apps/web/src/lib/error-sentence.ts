import { type ErrorCode, errors, isErrorCode } from '@astropelago/contract/errors'
import { translateServerSentence } from '../language/server-sentence.ts'
import { ApiError } from './api-error.ts'
import { connectionFailed } from './failure-text.ts'
import { ConnectionError } from './fetch-answer.ts'

/** What an error says, in the page's language. */
export function errorSentence(code: ErrorCode): string {
  return translateServerSentence(errors[code].sentence)
}

/** The text for a failed call below /api/auth, where the answer's `error` is the code. */
export function authFailureText(error: unknown): string {
  if (error instanceof ConnectionError) return connectionFailed
  const code = error instanceof ApiError ? error.code : undefined
  return errorSentence(code !== undefined && isErrorCode(code) ? code : 'server_error')
}
