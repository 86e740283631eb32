import type { FieldErrors } from '@astropelago/contract/error-body'
import { t } from '@lingui/core/macro'
import { ApiError, ConnectionError } from './api-error.ts'

export function failureText(error: unknown): string | undefined {
  if (error === null || error === undefined) return undefined
  if (error instanceof ConnectionError || error instanceof ApiError) return error.sentence
  return t`This did not work. Try again in a moment.`
}

const none: FieldErrors = {}

export function fieldErrors(error: unknown): FieldErrors {
  return error instanceof ApiError ? error.fields : none
}
