import { isErrorCode } from '@astropelago/contract/errors'
import { t } from '@lingui/core/macro'
import { ApiError } from '../../lib/api-error.ts'
import { errorSentence } from '../../lib/error-sentence.ts'
import { connectionFailed } from '../../lib/failure-text.ts'
import { ConnectionError } from '../../lib/fetch-answer.ts'

/** The text for a failed call on Account: the server's own error if it sent one, with an explanation. */
export function accountFailure(error: unknown): string {
  const serverError = errorSentence('server_error')
  if (error instanceof ConnectionError) return connectionFailed
  if (!(error instanceof ApiError)) return t`Failed: ${serverError}`
  const { code, sentence } = error
  if (!error.error) {
    const text = sentence || serverError
    return t`error: ${text}`
  }
  return sentence === code && isErrorCode(code) ? errorSentence(code) : sentence
}
