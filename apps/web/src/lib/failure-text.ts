import type { FieldErrors } from '@astropelago/contract/error-body'
import { ApiError, ConnectionError } from './api-error.ts'

/** What a person reads of a call that failed; undefined where none did. */
export function failureText(error: unknown): string | undefined {
  if (error === null || error === undefined) return undefined
  if (error instanceof ConnectionError || error instanceof ApiError) return error.sentence
  return 'This did not work. Try again in a moment.'
}

const none: FieldErrors = {}

/** What is wrong with each field that was sent. */
export function fieldErrors(error: unknown): FieldErrors {
  return error instanceof ApiError ? error.fields : none
}
