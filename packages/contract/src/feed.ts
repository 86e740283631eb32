import * as v from 'valibot'
import { PublicDevice } from './devices.ts'
import { IslandCard } from './islands.ts'
import { Neighbour, NeighbourDevice, NeighbourIsland } from './neighbours.ts'
import { defineRoute } from './route.ts'

const sequencePattern = /^([\w-]+)-(0|[1-9]\d{0,14})$/

/** A position as it is sent: `<epoch>-<n>`. */
export const FeedSequence = v.pipe(v.string(), v.regex(sequencePattern))
export type FeedSequence = v.InferOutput<typeof FeedSequence>

/** A position in the order of all public changes. */
export interface FeedPosition {
  /** Changes with each start of the server. */
  readonly epoch: string
  /** Increases by one with each message. */
  readonly number: number
}

export function sequenceAt({ epoch, number }: FeedPosition): FeedSequence {
  return `${epoch}-${number}`
}

/** Undefined if the text is no sequence. */
export function readSequence(text: string): FeedPosition | undefined {
  const [, epoch, number] = sequencePattern.exec(text) ?? []
  return epoch === undefined ? undefined : { epoch, number: Number(number) }
}

/** The ETag of a public list: the sequence from which the feed brings it up to date. */
export function listEtag(sequence: FeedSequence): string {
  return `"${sequence}"`
}

/** Accepts weak ETags too, since compressing proxies weaken them. Undefined if it holds no sequence. */
export function readListEtag(etag: string | null): FeedPosition | undefined {
  const [, sequence] = /^(?:W\/)?"(.*)"$/.exec(etag ?? '') ?? []
  return sequence === undefined ? undefined : readSequence(sequence)
}

/** Whether a position includes everything up to the other. Positions of two epochs can't be compared. */
export function isUpTo(position: FeedPosition, other: FeedPosition): boolean {
  return position.epoch === other.epoch && position.number >= other.number
}

/** A new or changed public device, with its current state. */
const DeviceChanged = v.object({
  type: v.literal('device'),
  payload: PublicDevice,
  sequence: FeedSequence,
})

/** A device that is no longer public: deleted, or made private. */
const DeviceRemoved = v.object({
  type: v.literal('device-removed'),
  payload: v.object({ id: v.string() }),
  sequence: FeedSequence,
})

/** A listed island that is new, changed, opened or closed, with its current state. */
const IslandChanged = v.object({
  type: v.literal('island'),
  payload: IslandCard,
  sequence: FeedSequence,
})

/** An island that is no longer listed: closed for good, hidden, or made less visible. */
const IslandRemoved = v.object({
  type: v.literal('island-removed'),
  payload: v.object({ id: v.string() }),
  sequence: FeedSequence,
})

/** An installation that this one follows, new or changed. Its islands and devices may be other ones. */
const NeighbourChanged = v.object({
  type: v.literal('neighbour'),
  payload: Neighbour,
  sequence: FeedSequence,
})

const NeighbourDeviceChanged = v.object({
  type: v.literal('neighbour-device'),
  payload: NeighbourDevice,
  sequence: FeedSequence,
})

const NeighbourIslandChanged = v.object({
  type: v.literal('neighbour-island'),
  payload: NeighbourIsland,
  sequence: FeedSequence,
})

/** What is shown here no longer. With a neighbour, everything of it goes. */
const NeighbourSubjectRemoved = v.object({
  type: v.picklist(['neighbour-removed', 'neighbour-device-removed', 'neighbour-island-removed']),
  payload: v.object({ id: v.string() }),
  sequence: FeedSequence,
})

/** Missed messages are no longer available. Load the list again. The feed ends after this. */
const Reload = v.object({ type: v.literal('reload') })

/** An array is always the whole list of devices. Readers ignore types that they do not know. */
export const FeedMessage = v.union([
  v.array(PublicDevice),
  v.variant('type', [
    DeviceChanged,
    DeviceRemoved,
    IslandChanged,
    IslandRemoved,
    NeighbourChanged,
    NeighbourDeviceChanged,
    NeighbourIslandChanged,
    NeighbourSubjectRemoved,
    Reload,
  ]),
])
export type FeedMessage = v.InferOutput<typeof FeedMessage>

const FeedQuery = v.strictObject({
  /** The reader's last sequence. If the server no longer knows it, it answers `reload`. */
  since: v.optional(v.string()),
})

export const streamFeed = defineRoute({
  method: 'GET',
  path: '/api/devices/stream',
  summary:
    'The live feed as server-sent events: each event is one message, and its id is the sequence to resume from (Last-Event-ID or since)',
  tag: 'Live feed',
  access: 'anyone',
  query: FeedQuery,
  answerType: 'text/event-stream',
  answers: { 200: FeedMessage },
  errors: ['invalid_input', 'rate_limited', 'overloaded'],
})

export const liveFeed = defineRoute({
  method: 'GET',
  path: '/api/devices/live',
  summary: 'The live feed over WebSocket: each frame is one message',
  tag: 'Live feed',
  access: 'anyone',
  query: FeedQuery,
  answers: { 101: FeedMessage },
  errors: ['invalid_input', 'cross_site', 'upgrade_required', 'rate_limited', 'overloaded'],
})
