import type { FieldErrors } from '@astropelago/contract/error-body'
import { t } from '@lingui/core/macro'
import { ApiError } from './api-error.ts'
import { ConnectionError } from './fetch-answer.ts'

/** What a ConnectionError says. */
export const connectionFailed = t`The connection failed. Check it and try again.`

export function failureText(error: unknown): string | undefined {
  if (error === null || error === undefined) return undefined
  if (error instanceof ConnectionError) return connectionFailed
  if (error instanceof ApiError) return error.sentence
  return t`This did not work. Try again in a moment.`
}

const none: FieldErrors = {}

export function fieldErrors(error: unknown): FieldErrors {
  return error instanceof ApiError ? error.fields : none
}
