import { listLogs } from '@astropelago/contract/all-logs'
import type { LogEntryKind } from '@astropelago/contract/island-log'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { listedIslandsEveryMs } from '../../islands/directory-query.ts'

/** Which log entries to show. */
export interface LogsFilter {
  /** Undefined for every kind. */
  readonly kind: LogEntryKind | undefined
  /** The slug of the only island to show. */
  readonly island: string | undefined
  /** Only islands that the reader hosts, has joined or follows. */
  readonly isOwn: boolean
}

/** The logs that the reader may read, page by page. The last pages stay while others load. */
export function useLogs({ kind, island, isOwn }: LogsFilter, isOn: boolean) {
  return useInfiniteQuery({
    queryKey: [...queryKeys.logs, kind, island, isOwn],
    queryFn: ({ pageParam, signal }) =>
      call(listLogs, {
        query: {
          ...(kind !== undefined && { kind }),
          ...(island !== undefined && { island }),
          ...(isOwn && { whose: 'own' as const }),
          ...(pageParam !== '' && { after: pageParam }),
        },
        signal,
      }),
    enabled: isOn,
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: listedIslandsEveryMs,
  })
}
