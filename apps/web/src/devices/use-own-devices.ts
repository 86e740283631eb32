import type { OwnDevice } from '@astropelago/contract/devices'
import type { FeedPosition } from '@astropelago/contract/feed'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { FeedChanges } from '../lib/live-feed/feed-changes.ts'
import { followFromNow } from '../lib/live-feed/follow-from-now.ts'
import type { FeedState, LiveFeed } from '../lib/live-feed/live-feed.ts'
import { pageFeed, useFeedState } from '../lib/live-feed/page-feed.ts'
import { isSignedOut } from '../lib/query-state.ts'
import { ownDevicesQuery } from './own-devices-query.ts'

/** The delay before the list is fetched again, or false to stop. */
type PollInterval = (devices: readonly OwnDevice[] | undefined) => number | false

/** The user's devices, from the live feed. `pollInterval` is for those that it leaves out. */
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

/** Applies the live feed to the user's public devices. Returns a function that stops it. */
export function followOwnDevices(
  client: QueryClient,
  feed: Pick<LiveFeed, 'join'>,
  fetchPosition?: () => Promise<FeedPosition | undefined>,
): () => void {
  const askAnew = () => void client.invalidateQueries(ownDevicesQuery)
  const onChanges = (changes: FeedChanges) => {
    const devices = client.getQueryData(ownDevicesQuery.queryKey)
    if (devices === undefined || !concerns(changes, devices)) return
    client.setQueryData(ownDevicesQuery.queryKey, merge(devices, changes))
    // The feed omits when a device was last seen, and whether a removed one was deleted or made private.
    // Refetching also discards earlier requests, which would undo the change.
    askAnew()
  }
  return followFromNow(feed, { onStart: askAnew, onChanges }, fetchPosition)
}

function concerns({ changed, removedIds }: FeedChanges, devices: readonly OwnDevice[]): boolean {
  const ids = new Set(devices.map(({ id }) => id))
  return changed.some(({ id }) => ids.has(id)) || removedIds.some((id) => ids.has(id))
}

/** Changed devices are public, with the place that others see. */
function merge(devices: readonly OwnDevice[], { changed }: FeedChanges): OwnDevice[] {
  const told = new Map(changed.map((device) => [device.id, device]))
  return devices.map((device) => {
    const now = told.get(device.id)
    if (now === undefined) return device
    const { lat: publicLat, lon: publicLon, ...same } = now
    return { ...device, ...same, publicLat, publicLon, visibility: 'public', hidden: null }
  })
}

/** How stale "last seen" may be. The feed reports status changes, not heartbeats. */
const lastSeenMs = 60_000

/** Longer if the live feed covers all devices. It never includes private or hidden ones. */
export function liveInterval(
  polledMs: number | false,
  devices: readonly OwnDevice[] | undefined,
  feed: FeedState | undefined,
): number | false {
  if (polledMs === false || feed?.phase !== 'live' || devices === undefined) return polledMs
  const coversAll = devices.every(
    ({ visibility, hidden }) => visibility === 'public' && hidden === null,
  )
  return coversAll ? Math.max(polledMs, lastSeenMs) : polledMs
}
