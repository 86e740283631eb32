import { ApiError, ConnectionError } from '../../lib/api-error.ts'

/** What Account says of a save that failed: the answer's own error, or a word where it has none. */
export function failureText(error: unknown): string {
  if (error instanceof ApiError) return error.error || 'error'
  return error instanceof ConnectionError ? error.sentence : 'Failed'
}
