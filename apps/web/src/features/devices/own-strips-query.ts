import { listDeviceStrips } from '@astropelago/contract/history'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import type { HistoryDay } from '../../ui/history-days.ts'
import { drawingDays } from './history-drawing.ts'

/** A strip is a glance back: it need not follow each flip. */
const freshMs = 60_000

const ownStripsQuery = queryOptions({
  queryKey: ['own-strips'],
  queryFn: ({ signal }) => call(listDeviceStrips, { signal }),
  staleTime: freshMs,
  refetchInterval: freshMs,
  select: (strips) => new Map(strips.map(({ id, days }) => [id, drawingDays(days)])),
})

/** The last 30 days of each of the user's devices, by id; undefined until they are there, and where they can't be had. */
export function useOwnStrips(): ReadonlyMap<string, readonly HistoryDay[]> | undefined {
  return useQuery(ownStripsQuery).data
}
