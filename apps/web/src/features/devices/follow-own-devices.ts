import type { OwnDevice } from '@astropelago/contract/devices'
import type { FeedPosition } from '@astropelago/contract/feed'
import type { QueryClient } from '@tanstack/react-query'
import type { FeedChanges } from '../../lib/live-feed/feed-changes.ts'
import { followFromNow } from '../../lib/live-feed/follow-from-now.ts'
import type { LiveFeed } from '../../lib/live-feed/live-feed.ts'
import { ownDevicesQuery } from './own-devices-query.ts'

/**
 * Brings what the live feed tells of the user's public devices into their list, until the returned
 * function is called.
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
    // The feed does not tell when a device was last seen, nor whether one that left it was deleted
    // or made private. An answer that was asked for before must not undo the change.
    askAnew()
  }
  return followFromNow(feed, { onStart: askAnew, onChanges }, fetchPosition)
}

function concerns({ changed, removedIds }: FeedChanges, devices: readonly OwnDevice[]): boolean {
  const ids = new Set(devices.map(({ id }) => id))
  return changed.some(({ id }) => ids.has(id)) || removedIds.some((id) => ids.has(id))
}

/** The devices with what the feed tells of them; what it tells of is public, its place as others see it. */
function merge(devices: readonly OwnDevice[], { changed }: FeedChanges): OwnDevice[] {
  const told = new Map(changed.map((device) => [device.id, device]))
  return devices.map((device) => {
    const now = told.get(device.id)
    if (now === undefined) return device
    const { lat: publicLat, lon: publicLon, ...same } = now
    return { ...device, ...same, publicLat, publicLon, visibility: 'public', hidden: null }
  })
}
