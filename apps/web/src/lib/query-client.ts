import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

const retries = 2

/** A refusal would be the same again, so only lost connections and server errors are retried. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  if (failures >= retries) return false
  return !(error instanceof ApiError) || error.status >= 500
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // 'always': a server on this machine answers without a network, so the browser's offline state
      // does not matter.
      queries: { retry: isWorthRetrying, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
