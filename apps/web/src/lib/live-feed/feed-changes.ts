import type { PublicDevice } from '@astropelago/contract/devices'
import { type FeedPosition, isUpTo, sequenceAt } from './feed-position.ts'

/** What became of public devices, each named once, as it is up to `sequence`. */
export interface FeedChanges {
  readonly changed: readonly PublicDevice[]
  readonly removedIds: readonly string[]
  readonly sequence: string
}

/** One message: a device as it is now, or undefined where it is public no more. */
export interface FeedChange {
  readonly position: FeedPosition
  readonly id: string
  readonly device: PublicDevice | undefined
}

/**
 * The last word on each device, of what comes after a position; undefined where there is nothing. A
 * device that went and came back is changed, not removed.
 */
export function changesAfter(
  position: FeedPosition,
  changes: readonly FeedChange[],
): FeedChanges | undefined {
  const latest = new Map<string, PublicDevice | undefined>()
  let sequence: string | undefined
  for (const change of changes) {
    if (isUpTo(position, change.position)) continue
    latest.set(change.id, change.device)
    sequence = sequenceAt(change.position)
  }
  if (sequence === undefined) return undefined
  const changed = [...latest.values()].filter((device) => device !== undefined)
  const removedIds = [...latest].flatMap(([id, device]) => (device === undefined ? [id] : []))
  return { changed, removedIds, sequence }
}
