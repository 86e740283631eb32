import type { PublicDevice } from '@astropelago/contract/devices'
import {
  FeedMessage,
  type FeedPosition,
  FeedSequence,
  isUpTo,
  readSequence,
} from '@astropelago/contract/feed'
import type { IslandCard } from '@astropelago/contract/islands'
import type { Neighbour, NeighbourDevice, NeighbourIsland } from '@astropelago/contract/neighbours'
import * as v from 'valibot'

/** The changes to public devices and listed islands, each of them once, in its state at `position`. */
export interface FeedChanges {
  readonly changed: readonly PublicDevice[]
  readonly removedIds: readonly string[]
  readonly changedIslands: readonly IslandCard[]
  readonly removedIslandIds: readonly string[]
  /** Absent if nothing of other installations has changed. */
  readonly ofNeighbours?: NeighbourChanges
  readonly position: FeedPosition
}

export interface NeighbourChanges {
  /** Their islands and devices may be other ones. */
  readonly changed: readonly Neighbour[]
  readonly removedIds: readonly string[]
  readonly changedDevices: readonly NeighbourDevice[]
  readonly removedDeviceIds: readonly string[]
  readonly changedIslands: readonly NeighbourIsland[]
  readonly removedIslandIds: readonly string[]
}

/** One message: the current state, or undefined if it is no longer public. */
export type FeedChange = { readonly position: FeedPosition } & (
  | { readonly kind: 'device'; readonly id: string; readonly now: PublicDevice | undefined }
  | { readonly kind: 'island'; readonly id: string; readonly now: IslandCard | undefined }
  | { readonly kind: 'neighbour'; readonly id: string; readonly now: Neighbour | undefined }
  | {
      readonly kind: 'neighbour-device'
      readonly id: string
      readonly now: NeighbourDevice | undefined
    }
  | {
      readonly kind: 'neighbour-island'
      readonly id: string
      readonly now: NeighbourIsland | undefined
    }
  /** Sent by a newer server; this page ignores it. */
  | { readonly kind: 'other' }
)

/** Messages of a newer server, with a type that this page does not know. */
const kinds = ['device', 'island', 'neighbour', 'neighbour-device', 'neighbour-island']
const known = new Set(['reload', ...kinds.flatMap((kind) => [kind, `${kind}-removed`])])
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
  switch (output.type) {
    case 'device':
      return { kind: 'device', id, now: output.payload, position }
    case 'island':
      return { kind: 'island', id, now: output.payload, position }
    case 'neighbour':
      return { kind: 'neighbour', id, now: output.payload, position }
    case 'neighbour-device':
      return { kind: 'neighbour-device', id, now: output.payload, position }
    case 'neighbour-island':
      return { kind: 'neighbour-island', id, now: output.payload, position }
    default:
      return { kind: removedKinds[output.type], id, now: undefined, position }
  }
}

const removedKinds = {
  'device-removed': 'device',
  'island-removed': 'island',
  'neighbour-removed': 'neighbour',
  'neighbour-device-removed': 'neighbour-device',
  'neighbour-island-removed': 'neighbour-island',
} as const

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
  const neighbours = new Map<string, Neighbour | undefined>()
  const theirDevices = new Map<string, NeighbourDevice | undefined>()
  const theirIslands = new Map<string, NeighbourIsland | undefined>()
  let last: FeedPosition | undefined
  for (const change of changes) {
    if (isUpTo(position, change.position)) continue
    last = change.position
    if (change.kind === 'device') devices.set(change.id, change.now)
    else if (change.kind === 'island') islands.set(change.id, change.now)
    else if (change.kind === 'neighbour') neighbours.set(change.id, change.now)
    else if (change.kind === 'neighbour-device') theirDevices.set(change.id, change.now)
    else if (change.kind === 'neighbour-island') theirIslands.set(change.id, change.now)
  }
  if (last === undefined) return undefined
  return {
    changed: thereNow(devices),
    removedIds: gone(devices),
    changedIslands: thereNow(islands),
    removedIslandIds: gone(islands),
    ...(neighbours.size + theirDevices.size + theirIslands.size > 0 && {
      ofNeighbours: {
        changed: thereNow(neighbours),
        removedIds: gone(neighbours),
        changedDevices: thereNow(theirDevices),
        removedDeviceIds: gone(theirDevices),
        changedIslands: thereNow(theirIslands),
        removedIslandIds: gone(theirIslands),
      },
    }),
    position: last,
  }
}

function thereNow<Item>(latest: ReadonlyMap<string, Item | undefined>): Item[] {
  return [...latest.values()].filter((item) => item !== undefined)
}

function gone(latest: ReadonlyMap<string, unknown>): string[] {
  return [...latest].flatMap(([id, item]) => (item === undefined ? [id] : []))
}
