import * as v from 'valibot'
import { PublicDevice } from './devices.ts'
import { defineRoute } from './route.ts'

/**
 * A place in the order of all changes of public devices: `<epoch>-<n>`. The epoch is another one with
 * each start of the server; n grows by one with each message. The public list's ETag is one of them.
 */
export const FeedSequence = v.pipe(v.string(), v.regex(/^[\w-]+-\d+$/))
export type FeedSequence = v.InferOutput<typeof FeedSequence>

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

/** What was missed is no longer known: load the list anew. The feed ends after it. */
const Reload = v.object({ type: v.literal('reload') })

/** An array is always the whole list. */
export const FeedMessage = v.union([
  v.array(PublicDevice),
  v.variant('type', [DeviceChanged, DeviceRemoved, Reload]),
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
