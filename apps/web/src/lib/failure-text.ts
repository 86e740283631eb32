import { t } from '@lingui/core/macro'
import type { FieldErrors } from '@astropelago/contract/error-body'
import { ApiError, ConnectionError } from './api-error.ts'
import { translateServerSentence } from './language/server-sentence.ts'

export function failureText(error: unknown): string | undefined {
  if (error === null || error === undefined) return undefined
  if (error instanceof ConnectionError) return error.sentence
  if (error instanceof ApiError) return translateServerSentence(error.sentence)
  return t`This did not work. Try again in a moment.`
}

const none: FieldErrors = {}

export function fieldErrors(error: unknown): FieldErrors {
  if (!(error instanceof ApiError)) return none
  const fields = Object.entries(error.fields)
  return Object.fromEntries(fields.map(([name, text]) => [name, translateServerSentence(text)]))
}
