import * as v from 'valibot'
import { PublicDevice } from './devices.ts'
import { IslandCard } from './islands.ts'
import { defineRoute } from './route.ts'

const sequencePattern = /^([\w-]+)-(0|[1-9]\d{0,14})$/

/** A position as it goes over the wire: `<epoch>-<n>`. */
export const FeedSequence = v.pipe(v.string(), v.regex(sequencePattern))
export type FeedSequence = v.InferOutput<typeof FeedSequence>

/** A position in the order of all changes of what everybody may know. */
export interface FeedPosition {
  /** Another one with each start of the server. */
  readonly epoch: string
  /** Grows by one with each message. */
  readonly number: number
}

export function sequenceAt({ epoch, number }: FeedPosition): FeedSequence {
  return `${epoch}-${number}`
}

/** Undefined for what is no sequence. */
export function readSequence(text: string): FeedPosition | undefined {
  const [, epoch, number] = sequencePattern.exec(text) ?? []
  return epoch === undefined ? undefined : { epoch, number: Number(number) }
}

/** The ETag of a public list: the sequence that it can be brought up to date from. */
export function listEtag(sequence: FeedSequence): string {
  return `"${sequence}"`
}

/** Weak or not, since proxies that compress mark ETags as weak; undefined where it holds no sequence. */
export function readListEtag(etag: string | null): FeedPosition | undefined {
  const [, sequence] = /^(?:W\/)?"(.*)"$/.exec(etag ?? '') ?? []
  return sequence === undefined ? undefined : readSequence(sequence)
}

/** Whether one has all that the other has. Positions of two epochs can't be compared. */
export function isUpTo(position: FeedPosition, other: FeedPosition): boolean {
  return position.epoch === other.epoch && position.number >= other.number
}

/** A public device that is new or has changed, as it is now. */
const DeviceChanged = v.object({
  type: v.literal('device'),
  payload: PublicDevice,
  sequence: FeedSequence,
})

/** A device that is public no more: deleted, or made private. */
const DeviceRemoved = v.object({
  type: v.literal('device-removed'),
  payload: v.object({ id: v.string() }),
  sequence: FeedSequence,
})

/** A listed island that is new, has changed, has opened or closed, as it is now. */
const IslandChanged = v.object({
  type: v.literal('island'),
  payload: IslandCard,
  sequence: FeedSequence,
})

/** An island that is listed no more: closed for good, hidden, or for fewer people now. */
const IslandRemoved = v.object({
  type: v.literal('island-removed'),
  payload: v.object({ id: v.string() }),
  sequence: FeedSequence,
})

/** What was missed is no longer known: load the list anew. The feed ends after it. */
const Reload = v.object({ type: v.literal('reload') })

/** An array is always the whole list of devices. Kinds that a reader does not know are none of its. */
export const FeedMessage = v.union([
  v.array(PublicDevice),
  v.variant('type', [DeviceChanged, DeviceRemoved, IslandChanged, IslandRemoved, Reload]),
])
export type FeedMessage = v.InferOutput<typeof FeedMessage>

const FeedQuery = v.strictObject({
  /** The sequence that the reader has; one that is not known any more is answered by `reload`. */
  since: v.optional(v.string()),
})

export const streamFeed = defineRoute({
  method: 'GET',
  path: '/api/devices/stream',
  summary:
    'The live feed as server-sent events: each event is one message, its id the sequence to go on from (Last-Event-ID or since)',
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
