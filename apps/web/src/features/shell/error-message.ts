/** What can be said of anything that was thrown. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message
  return typeof error === 'string' && error !== '' ? error : 'Unknown error'
}
