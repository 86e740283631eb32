import { getPublicDevice } from '@astropelago/contract/devices'
import { getDeviceHistory, getDeviceUptime } from '@astropelago/contract/history'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'

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
