import { getStats } from '@astropelago/contract/operator'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { operatorKey } from '../operator-query.ts'

export const overviewPollMs = 15_000

export function useStats() {
  return useQuery({
    queryKey: [operatorKey, 'stats'],
    queryFn: ({ signal }) => call(getStats, { signal }),
    refetchInterval: overviewPollMs,
  })
}
