import { listOwnDevices, type OwnDevice } from '@astropelago/contract/devices'
import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'

export const ownDevicesQuery = queryOptions({
  queryKey: ['own-devices'],
  queryFn: ({ signal }) => call(listOwnDevices, { signal }),
})

/** How long to wait before the list is asked for again, or false for not at all. */
export type PollInterval = (devices: readonly OwnDevice[] | undefined) => number | false

/** The user's devices, asked for once and then as `pollInterval` says. A failure keeps the last list. */
export function useOwnDevices(pollInterval: PollInterval) {
  return useQuery({
    ...ownDevicesQuery,
    refetchInterval: ({ state }) => (isSignedOut(state.error) ? false : pollInterval(state.data)),
  })
}

/** Whether nothing is known yet. A failed first try counts as known: retries go on behind the page. */
export function isFirstLoad(
  query: Pick<UseQueryResult, 'isPending' | 'errorUpdateCount'>,
): boolean {
  return query.isPending && query.errorUpdateCount === 0
}

/** Whether the session has ended, which asking again can't mend. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'signed_out'
}
