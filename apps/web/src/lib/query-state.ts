import type { UseQueryResult } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

/** False after a failed first try, although retries go on in the background. */
export function isFirstLoad(
  query: Pick<UseQueryResult, 'isPending' | 'errorUpdateCount'>,
): boolean {
  return query.isPending && query.errorUpdateCount === 0
}

/** Whether the session has ended, so that retrying is useless. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'signed_out'
}
