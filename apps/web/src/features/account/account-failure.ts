import { t } from '@lingui/core/macro'
import { errors, isErrorCode } from '@astropelago/contract/errors'
import { ApiError, ConnectionError } from '../../lib/api-error.ts'

/** The text for a failed call on Account: the server's own error if it sent one, with an explanation. */
export function accountFailure(error: unknown): string {
  const serverError = errors.server_error.sentence
  if (error instanceof ConnectionError) return error.sentence
  if (!(error instanceof ApiError)) return t`Failed: ${serverError}`
  const { code, sentence } = error
  if (!error.error) {
    const text = sentence || serverError
    return t`error: ${text}`
  }
  return sentence === code && isErrorCode(code) ? errors[code].sentence : sentence
}
