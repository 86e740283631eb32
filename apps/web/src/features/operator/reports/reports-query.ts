import { listReports } from '@astropelago/contract/reports'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { operatorKey } from '../operator-query.ts'

export type ReportState = 'open' | 'settled'

const pageLength = '20'
/** While somebody looks: what is reported meanwhile comes by itself. */
const pollMs = 30_000

/** What was reported, a page after the other. */
export function useReports(state: ReportState) {
  return useInfiniteQuery({
    queryKey: [operatorKey, 'reports', state],
    queryFn: ({ pageParam, signal }) =>
      call(listReports, {
        query: { state, limit: pageLength, ...(pageParam !== '' && { after: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ cases, hasMore }) => (hasMore ? cases.at(-1)?.id : undefined),
    refetchInterval: pollMs,
  })
}
