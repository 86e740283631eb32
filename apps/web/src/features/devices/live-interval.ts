import type { OwnDevice } from '@astropelago/contract/devices'
import type { FeedState } from '../../lib/live-feed/live-feed.ts'

/** How old "last seen" may be: the feed tells of changes of status, not of each heartbeat. */
const lastSeenMs = 60_000

/**
 * How long to wait before the user's devices are asked for again: as without the feed, unless it tells
 * of all of them. It never tells of private ones, nor of those that are hidden.
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
