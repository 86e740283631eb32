import { listDeviceStrips } from '@astropelago/contract/history'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import type { HistoryDay } from '../ui/history-days.ts'
import { drawingDays } from './history-drawing.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** The strip is an overview, so it need not show each change at once. */
const freshMs = 60_000

const ownStripsQuery = queryOptions({
  queryKey: [...queryKeys.devices, 'strips'],
  queryFn: ({ signal }) => call(listDeviceStrips, { signal }),
  staleTime: freshMs,
  refetchInterval: freshMs,
  select: (strips) => new Map(strips.map(({ id, days }) => [id, drawingDays(days)])),
})

/** The last 30 days of each of the user's devices, by id; undefined while loading or after a failure. */
export function useOwnStrips(): ReadonlyMap<string, readonly HistoryDay[]> | undefined {
  return useQuery(ownStripsQuery).data
}
