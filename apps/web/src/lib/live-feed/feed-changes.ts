import type { PublicDevice } from '@astropelago/contract/devices'
import {
  FeedMessage,
  type FeedPosition,
  FeedSequence,
  isUpTo,
  readSequence,
} from '@astropelago/contract/feed'
import type { IslandCard } from '@astropelago/contract/islands'
import * as v from 'valibot'

/** The changes to public devices and listed islands, each of them once, in its state at `position`. */
export interface FeedChanges {
  readonly changed: readonly PublicDevice[]
  readonly removedIds: readonly string[]
  readonly changedIslands: readonly IslandCard[]
  readonly removedIslandIds: readonly string[]
  readonly position: FeedPosition
}

/** One message: the current state, or undefined if it is no longer public. */
export type FeedChange = { readonly position: FeedPosition } & (
  | { readonly kind: 'device'; readonly id: string; readonly now: PublicDevice | undefined }
  | { readonly kind: 'island'; readonly id: string; readonly now: IslandCard | undefined }
  /** Sent by a newer server; this page ignores it. */
  | { readonly kind: 'other' }
)

/** Messages of a newer server, with a type that this page does not know. */
const known = new Set(['device', 'device-removed', 'island', 'island-removed', 'reload'])
const Other = v.object({
  type: v.pipe(
    v.string(),
    v.check((type) => !known.has(type)),
  ),
  sequence: FeedSequence,
})
const MessageText = v.pipe(v.string(), v.parseJson(), v.union([FeedMessage, Other]))

/**
 * Parses a message; undefined if it is invalid. A whole list is sent only to clients without a sequence,
 * and this page always has one.
 */
export function readFeedMessage(text: string): FeedChange | 'reload' | undefined {
  const { success, output } = v.safeParse(MessageText, text)
  if (!success || Array.isArray(output)) return undefined
  if (!('sequence' in output)) return 'reload'
  const position = readSequence(output.sequence)
  if (position === undefined) return undefined
  if (!('payload' in output)) return { kind: 'other', position }
  const { id } = output.payload
  if (output.type === 'device') return { kind: 'device', id, now: output.payload, position }
  if (output.type === 'island') return { kind: 'island', id, now: output.payload, position }
  const kind = output.type === 'device-removed' ? 'device' : 'island'
  return { kind, id, now: undefined, position }
}

/**
 * The latest state of each device and island after a position; undefined if nothing changed. One that was
 * removed and came back counts as changed.
 */
export function changesAfter(
  position: FeedPosition,
  changes: readonly FeedChange[],
): FeedChanges | undefined {
  const devices = new Map<string, PublicDevice | undefined>()
  const islands = new Map<string, IslandCard | undefined>()
  let last: FeedPosition | undefined
  for (const change of changes) {
    if (isUpTo(position, change.position)) continue
    last = change.position
    if (change.kind === 'device') devices.set(change.id, change.now)
    else if (change.kind === 'island') islands.set(change.id, change.now)
  }
  if (last === undefined) return undefined
  return {
    changed: thereNow(devices),
    removedIds: gone(devices),
    changedIslands: thereNow(islands),
    removedIslandIds: gone(islands),
    position: last,
  }
}

function thereNow<Item>(latest: ReadonlyMap<string, Item | undefined>): Item[] {
  return [...latest.values()].filter((item) => item !== undefined)
}

function gone(latest: ReadonlyMap<string, unknown>): string[] {
  return [...latest].flatMap(([id, item]) => (item === undefined ? [id] : []))
}
