import type { OwnDevice } from '@astropelago/contract/devices'
import type { FeedPosition } from '@astropelago/contract/feed'
import type { QueryClient } from '@tanstack/react-query'
import type { FeedChanges } from '../lib/live-feed/feed-changes.ts'
import { followFromNow } from '../lib/live-feed/follow-from-now.ts'
import type { LiveFeed } from '../lib/live-feed/live-feed.ts'
import { ownDevicesQuery } from './own-devices-query.ts'

/**
 * Applies the live feed to the user's public devices in their list.
 * @returns stops following
 */
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

/**
 * Merges the feed's changes into the devices. Changed devices are public, with the place that others see.
 */
function merge(devices: readonly OwnDevice[], { changed }: FeedChanges): OwnDevice[] {
  const told = new Map(changed.map((device) => [device.id, device]))
  return devices.map((device) => {
    const now = told.get(device.id)
    if (now === undefined) return device
    const { lat: publicLat, lon: publicLon, ...same } = now
    return { ...device, ...same, publicLat, publicLon, visibility: 'public', hidden: null }
  })
}
