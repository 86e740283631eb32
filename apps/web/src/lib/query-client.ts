import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

const retries = 2

/** A refusal will be the same the next time; only a lost connection or a server's fault is retried. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  if (failures >= retries) return false
  return !(error instanceof ApiError) || error.status >= 500
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // 'always': a server on this machine answers without any network, so the browser's word
      // that it is offline decides nothing.
      queries: { retry: isWorthRetrying, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
