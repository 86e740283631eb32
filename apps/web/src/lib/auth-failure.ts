import { errors, isErrorCode } from '@astropelago/contract/errors'
import { ApiError, ConnectionError } from './api-error.ts'

/** The text for a failed call below /api/auth, where the answer's `error` is the code. */
export function authFailureText(error: unknown): string {
  if (error instanceof ConnectionError) return error.sentence
  const code = error instanceof ApiError ? error.code : undefined
  return code !== undefined && isErrorCode(code)
    ? errors[code].sentence
    : errors.server_error.sentence
}
