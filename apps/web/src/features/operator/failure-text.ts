import { ApiError, ConnectionError } from '../../lib/api-error.ts'

/** What this screen says of a call that failed; undefined where none did. */
export function failureText(error: unknown): string | undefined {
  if (error === null || error === undefined) return undefined
  if (error instanceof ConnectionError || error instanceof ApiError) return error.sentence
  return 'This did not work. Try again in a moment.'
}

/** What is wrong with each field that was sent. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError ? error.fields : {}
}
