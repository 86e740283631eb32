import { getPublicDevice } from '@astropelago/contract/devices'
import {
  type Day,
  getDeviceHistory,
  getDeviceUptime,
  listDeviceStrips,
  type Span,
} from '@astropelago/contract/history'
import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'
import type { HistoryDay, HistorySpan } from '../ui/history-days.ts'

export function deviceQuery(id: string) {
  return queryOptions({
    queryKey: [...queryKeys.device(id), 'details'],
    queryFn: ({ signal }) => call(getPublicDevice, { params: { id }, signal }),
  })
}

export function deviceUptimeQuery(id: string) {
  return queryOptions({
    queryKey: [...queryKeys.device(id), 'uptime'],
    queryFn: ({ signal }) => call(getDeviceUptime, { params: { id }, signal }),
  })
}

/** The first page of events is the newest, and includes the days and hours. */
export function deviceHistoryQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.device(id), 'history'],
    queryFn: ({ pageParam, signal }) =>
      call(getDeviceHistory, {
        params: { id },
        query: pageParam === '' ? {} : { after: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
}

/** The strip is an overview, so it need not show each change at once. */
const freshMs = 60_000

const ownStripsQuery = queryOptions({
  // Not among the devices, since live messages do not change it.
  queryKey: ['device-strips'],
  queryFn: ({ signal }) => call(listDeviceStrips, { signal }),
  staleTime: freshMs,
  refetchInterval: freshMs,
  select: (strips) => new Map(strips.map(({ id, days }) => [id, drawingDays(days)])),
})

/** The last 30 days of each of the user's devices, by id; undefined while loading or after a failure. */
export function useOwnStrips(): ReadonlyMap<string, readonly HistoryDay[]> | undefined {
  return useQuery(ownStripsQuery).data
}

export function drawingDays(days: readonly Day[]): HistoryDay[] {
  return days.map(({ day, onlineS, offlineS, unobservedS, flips }) => ({
    day,
    upS: onlineS,
    downS: offlineS,
    unobservedS,
    flips,
  }))
}

const states = { online: 'up', offline: 'down', unobserved: 'unobserved' } as const

export function drawingSpans(spans: readonly Span[]): HistorySpan[] {
  return spans.map(({ from, to, status }) => ({ from, to, state: states[status] }))
}
