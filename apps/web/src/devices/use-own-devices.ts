import type { OwnDevice } from '@astropelago/contract/devices'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { pageFeed, useFeedState } from '../lib/live-feed/page-feed.ts'
import { followOwnDevices } from './follow-own-devices.ts'
import { liveInterval } from './live-interval.ts'
import { ownDevicesQuery } from './own-devices-query.ts'
import { isSignedOut } from '../lib/query-state.ts'

/** The delay before the list is fetched again, or false to stop. */
export type PollInterval = (devices: readonly OwnDevice[] | undefined) => number | false

/**
 * The user's devices, fetched once and then updated from the live feed. `pollInterval` sets how often
 * devices outside the feed are polled. After a failure the last list stays.
 */
export function useOwnDevices(pollInterval: PollInterval) {
  const client = useQueryClient()
  const feedState = useFeedState()
  const query = useQuery({
    ...ownDevicesQuery,
    refetchInterval: ({ state }) =>
      isSignedOut(state.error)
        ? false
        : liveInterval(pollInterval(state.data), state.data, feedState),
  })
  const isFollowed = pollInterval(query.data) !== false && !isSignedOut(query.error)
  useEffect(() => {
    if (isFollowed && pageFeed) return followOwnDevices(client, pageFeed)
    return undefined
  }, [client, isFollowed])
  return query
}
