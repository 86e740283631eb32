import * as v from 'valibot'
import { DeviceReport, Status } from './devices.ts'
import { IslandId } from './island-id.ts'
import { defineRoute } from './route.ts'

const Id = v.object({ id: v.string() })

/** Of an island: whether it can be entered now. ISO 8601 in UTC. */
const IslandOpen = v.object({
  type: v.literal('island-open'),
  payload: v.object({ id: v.string(), isOpen: v.boolean(), since: v.nullable(v.string()) }),
})
/** Something of it is another than it was: ask for it anew. */
const IslandChanged = v.object({ type: v.literal('island-changed'), payload: Id })
/** It is closed for good, or not for this reader any more. */
const IslandGone = v.object({ type: v.literal('island-gone'), payload: Id })
/** There is a new line in its log, or one less. */
const IslandLog = v.object({ type: v.literal('island-log'), payload: Id })
/** It has more or fewer members. */
const IslandMembers = v.object({ type: v.literal('island-members'), payload: Id })
/** What was missed is not known: ask for everything anew. */
const Reload = v.object({ type: v.literal('reload') })

/** What happens on one island, to whoever may know of it. */
export const IslandMessage = v.variant('type', [
  IslandOpen,
  IslandChanged,
  IslandGone,
  IslandLog,
  IslandMembers,
  Reload,
])
export type IslandMessage = v.InferOutput<typeof IslandMessage>

/** What happens on a user's own devices and on the islands that the user hosts or has joined. */
export const OwnMessage = v.variant('type', [
  /** The new status of a device of one's own, be it private. */
  v.object({ type: v.literal('device'), payload: v.object({ id: v.string(), status: Status }) }),
  /** What a device of one's own says of itself: a warning may have begun or ended. */
  v.object({
    type: v.literal('device-report'),
    payload: v.object({ id: v.string(), report: DeviceReport }),
  }),
  /** A device was made, changed or deleted. */
  v.object({ type: v.literal('devices') }),
  IslandOpen,
  IslandChanged,
  IslandGone,
  IslandLog,
  IslandMembers,
  /** Somebody asks to be let in, or does so no more. */
  v.object({ type: v.literal('island-requests'), payload: Id }),
  /** Islands that one hosts or has joined became more or fewer. */
  v.object({ type: v.literal('islands') }),
  /** For operators: something was reported, or settled. */
  v.object({ type: v.literal('reports') }),
  Reload,
])
export type OwnMessage = v.InferOutput<typeof OwnMessage>

export const streamOwn = defineRoute({
  method: 'GET',
  path: '/api/me/stream',
  summary: 'What happens on one’s own devices and islands, as server-sent events',
  tag: 'Live feed',
  access: 'user',
  answerType: 'text/event-stream',
  answers: { 200: OwnMessage },
  errors: ['signed_out', 'rate_limited', 'overloaded'],
})

export const streamIsland = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/stream',
  summary: 'What happens on one island, as server-sent events, to whoever may know of it',
  tag: 'Live feed',
  access: 'anyone',
  params: IslandId,
  answerType: 'text/event-stream',
  answers: { 200: IslandMessage },
  errors: ['not_found', 'rate_limited', 'overloaded'],
})
