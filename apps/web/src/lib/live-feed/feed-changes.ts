import type { PublicDevice } from '@astropelago/contract/devices'
import { FeedMessage, type FeedPosition, isUpTo, readSequence } from '@astropelago/contract/feed'
import * as v from 'valibot'

/** What became of public devices, each named once, as it is up to `position`. */
export interface FeedChanges {
  readonly changed: readonly PublicDevice[]
  readonly removedIds: readonly string[]
  readonly position: FeedPosition
}

/** One message: a device as it is now, or undefined where it is public no more. */
export interface FeedChange {
  readonly position: FeedPosition
  readonly id: string
  readonly device: PublicDevice | undefined
}

const MessageText = v.pipe(v.string(), v.parseJson(), FeedMessage)

/** Undefined for what is none of ours; a whole list comes only to who has no sequence, and we have. */
export function readFeedMessage(text: string): FeedChange | 'reload' | undefined {
  const { success, output } = v.safeParse(MessageText, text)
  if (!success || Array.isArray(output)) return undefined
  if (output.type === 'reload') return 'reload'
  const position = readSequence(output.sequence)
  const { id } = output.payload
  const device = output.type === 'device' ? output.payload : undefined
  return position && { position, id, device }
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
  let last: FeedPosition | undefined
  for (const change of changes) {
    if (isUpTo(position, change.position)) continue
    latest.set(change.id, change.device)
    last = change.position
  }
  if (last === undefined) return undefined
  const changed = [...latest.values()].filter((device) => device !== undefined)
  const removedIds = [...latest].flatMap(([id, device]) => (device === undefined ? [id] : []))
  return { changed, removedIds, position: last }
}
