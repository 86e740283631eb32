import { listPublicDevices, type OwnDevice } from '@astropelago/contract/devices'
import { type FeedPosition, readListEtag } from '@astropelago/contract/feed'
import type { QueryClient } from '@tanstack/react-query'
import { fetchAnswer } from '../../lib/call.ts'
import type { FeedChanges } from '../../lib/live-feed/feed-changes.ts'
import type { LiveFeed } from '../../lib/live-feed/live-feed.ts'
import { ownDevicesQuery } from './own-devices-query.ts'

/** The interval at which the page asks meanwhile. */
const retryMs = 10_000

/**
 * Brings what the live feed tells of the user's public devices into their list, until the returned
 * function is called.
 */
export function followOwnDevices(
  client: QueryClient,
  feed: Pick<LiveFeed, 'join'>,
  fetchPosition = fetchPublicPosition,
): () => void {
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let isLeft = false

  // The own list has no position in the feed's order: it is asked for after that to start from.
  const start = async () => {
    try {
      const position = await fetchPosition()
      if (isLeft) return
      subscription.startAt(position)
      void client.invalidateQueries(ownDevicesQuery)
    } catch {
      if (!isLeft) retryTimer = setTimeout(() => void start(), retryMs)
    }
  }
  const subscription = feed.join({
    onChanges: (changes) => {
      const devices = client.getQueryData(ownDevicesQuery.queryKey)
      if (devices === undefined || !concerns(changes, devices)) return
      client.setQueryData(ownDevicesQuery.queryKey, merge(devices, changes))
      // The feed does not tell when a device was last seen, nor whether one that left it was deleted
      // or made private. An answer that was asked for before must not undo the change.
      void client.invalidateQueries(ownDevicesQuery)
    },
    onReload: () => void start(),
  })
  void start()

  return () => {
    isLeft = true
    clearTimeout(retryTimer)
    subscription.leave()
  }
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

/** The public list's position in the feed's order, without the list. */
async function fetchPublicPosition(): Promise<FeedPosition | undefined> {
  const { status, headers } = await fetchAnswer(listPublicDevices, {
    isHead: true,
    withoutCookies: true,
  })
  if (status !== 200) throw new Error(`The list was refused with ${status}`)
  return readListEtag(headers.get('etag'))
}
