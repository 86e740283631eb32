import type { OwnDevice } from '@astropelago/contract/devices'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { pageFeed, useFeedState } from '../../lib/live-feed/page-feed.ts'
import { followOwnDevices } from './follow-own-devices.ts'
import { liveInterval } from './live-interval.ts'
import { isSignedOut, ownDevicesQuery } from './own-devices-query.ts'

/** How long to wait before the list is asked for again, or false for not at all. */
export type PollInterval = (devices: readonly OwnDevice[] | undefined) => number | false

/**
 * The user's devices, asked for once, and then followed by the live feed or, where that does not tell
 * of them, asked for as `pollInterval` says. A failure keeps the last list.
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
