import type { OwnDevice } from '@astropelago/contract/devices'
import type { FeedState } from '../lib/live-feed/live-feed.ts'

/** How stale "last seen" may be. The feed reports status changes, not heartbeats. */
const lastSeenMs = 60_000

/**
 * The interval for polling the user's devices. It is longer if the live feed covers all of them; the feed
 * never includes private or hidden devices.
 */
export function liveInterval(
  polledMs: number | false,
  devices: readonly OwnDevice[] | undefined,
  feed: FeedState | undefined,
): number | false {
  if (polledMs === false || feed?.phase !== 'live' || devices === undefined) return polledMs
  const isToldOfAll = devices.every(
    ({ visibility, hidden }) => visibility === 'public' && hidden === null,
  )
  return isToldOfAll ? Math.max(polledMs, lastSeenMs) : polledMs
}
