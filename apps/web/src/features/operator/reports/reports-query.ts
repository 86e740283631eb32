import { listReports } from '@astropelago/contract/reports'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { operatorKey } from '../operator-query.ts'

export type ReportState = 'open' | 'settled'

const pageLength = '20'
/** New reports appear by themselves while the list is open. */
const pollMs = 30_000

/** Reports, page by page. */
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
