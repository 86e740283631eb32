import { listLogs } from '@astropelago/contract/all-logs'
import type { LogEntryKind } from '@astropelago/contract/island-log'
import type { OwnMessage } from '@astropelago/contract/streams'
import { keepPreviousData, useInfiniteQuery, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { listedIslandsEveryMs, listedIslandsKey } from '../../islands/directory-query.ts'

/** Which log entries to show. */
export interface LogsFilter {
  /** Undefined for every kind. */
  readonly kind: LogEntryKind | undefined
  /** The slug of the only island to show. */
  readonly island: string | undefined
  /** Only islands that the reader hosts, has joined or follows. */
  readonly isOwn: boolean
}

// Nested under the key of the listed islands, so that the live feed's messages about those reload the
// logs too.
const logsKey = [listedIslandsKey, 'logs'] as const

/** The logs that the reader may read, page by page. The last pages stay while others load. */
export function useLogs({ kind, island, isOwn }: LogsFilter, isOn: boolean) {
  return useInfiniteQuery({
    queryKey: [...logsKey, kind, island, isOwn],
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

/** Reloads the logs after a stream message that can mean a new entry or island. */
export function showInLogs(client: QueryClient, { type }: Pick<OwnMessage, 'type'>): void {
  const isOfLogs = type === 'islands' || type === 'reload' || type.startsWith('island-')
  if (isOfLogs) void client.invalidateQueries({ queryKey: logsKey })
}
