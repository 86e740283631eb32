import * as v from 'valibot'
import { DeviceReport, Status } from './devices.ts'
import { IslandId } from './island-id.ts'
import { defineRoute } from './route.ts'

const Id = v.object({ id: v.string() })

/** Whether the island can be entered now. `since` is ISO 8601 in UTC. */
const IslandOpen = v.object({
  type: v.literal('island-open'),
  payload: v.object({ id: v.string(), isOpen: v.boolean(), since: v.nullable(v.string()) }),
})
/** The island changed. Load it again. */
const IslandChanged = v.object({ type: v.literal('island-changed'), payload: Id })
/** The island was closed for good, or this reader may no longer see it. */
const IslandGone = v.object({ type: v.literal('island-gone'), payload: Id })
/** Its log has a new entry, or lost one. */
const IslandLog = v.object({ type: v.literal('island-log'), payload: Id })
/** Its members changed. */
const IslandMembers = v.object({ type: v.literal('island-members'), payload: Id })
/** Something changed in the seconds before the stream began. Load again what was loaded before it. */
const ChangedBefore = v.object({ type: v.literal('changed-before') })
/** Messages were missed. Load everything again. */
const Reload = v.object({ type: v.literal('reload') })

/** Events of one island, for everybody who may see it. */
export const IslandMessage = v.variant('type', [
  IslandOpen,
  IslandChanged,
  IslandGone,
  IslandLog,
  IslandMembers,
  ChangedBefore,
  Reload,
])
export type IslandMessage = v.InferOutput<typeof IslandMessage>

/** Events of a user's devices, and of the islands that the user hosts or has joined. */
export const OwnMessage = v.variant('type', [
  /** The new status of the user's own device, public or private. */
  v.object({ type: v.literal('device'), payload: v.object({ id: v.string(), status: Status }) }),
  /** A new report by the user's own device. A warning may have begun or ended. */
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
  /** Somebody asked to join, or withdrew the request. */
  v.object({ type: v.literal('island-requests'), payload: Id }),
  /** The set of islands that the user hosts or has joined changed. */
  v.object({ type: v.literal('islands') }),
  /** For operators: something was reported or settled. */
  v.object({ type: v.literal('reports') }),
  ChangedBefore,
  Reload,
])
export type OwnMessage = v.InferOutput<typeof OwnMessage>

export const streamOwn = defineRoute({
  method: 'GET',
  path: '/api/me/stream',
  summary: 'Events of the user’s own devices and islands, as server-sent events',
  tag: 'Live feed',
  access: 'user',
  answerType: 'text/event-stream',
  answers: { 200: OwnMessage },
  errors: ['signed_out', 'rate_limited', 'overloaded'],
})

export const streamIsland = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/stream',
  summary: 'Events of one island, as server-sent events, for everybody who may see it',
  tag: 'Live feed',
  access: 'anyone',
  params: IslandId,
  answerType: 'text/event-stream',
  answers: { 200: IslandMessage },
  errors: ['not_found', 'rate_limited', 'overloaded'],
})
