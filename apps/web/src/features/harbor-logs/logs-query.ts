import { listLogs } from '@astropelago/contract/all-logs'
import type { LogEntryKind } from '@astropelago/contract/island-log'
import type { OwnMessage } from '@astropelago/contract/streams'
import { keepPreviousData, useInfiniteQuery, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { listedIslandsEveryMs, listedIslandsKey } from '../../lib/islands/directory-query.ts'

/** What of the logs is asked for. */
export interface LogsFilter {
  /** Every kind where it is left out. */
  readonly kind: LogEntryKind | undefined
  /** The slug of the one island whose log is asked for. */
  readonly island: string | undefined
  /** Of islands alone that the reader hosts, has joined or follows. */
  readonly isOwn: boolean
}

// What the live feed tells of listed islands has it asked for anew, too.
const logsKey = [listedIslandsKey, 'logs'] as const

/** Logs that the reader may read, a page after the other; the last ones stay while others are asked for. */
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

/** Has the logs asked for anew where a stream tells that there may be another line, or island. */
export function showInLogs(client: QueryClient, { type }: Pick<OwnMessage, 'type'>): void {
  const isOfLogs = type === 'islands' || type === 'reload' || type.startsWith('island-')
  if (isOfLogs) void client.invalidateQueries({ queryKey: logsKey })
}
