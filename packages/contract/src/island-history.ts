import * as v from 'valibot'
import { Uptime } from './history.ts'
import { IslandId } from './island-id.ts'
import { defineRoute } from './route.ts'

/** Events per page of an island's history. */
export const islandEventsPageLength = 50

/** A day in UTC: how long an island was open, closed or unobserved. */
export const IslandDay = v.object({
  /** YYYY-MM-DD. */
  day: v.string(),
  openS: v.number(),
  closedS: v.number(),
  /** While the server could not observe it, or nothing showed whether it was open. */
  unobservedS: v.number(),
  /** How often it opened or closed. */
  flips: v.number(),
  /** The status at the end of the day, or now; null if nothing was observed yet. */
  status: v.nullable(v.picklist(['open', 'closed'])),
})
export type IslandDay = v.InferOutput<typeof IslandDay>

const IslandStatus = v.picklist(['open', 'closed', 'unobserved'])

/** Times are ISO 8601 in UTC. */
export const IslandHistory = v.object({
  /** From when on the reader sees something; null if there is nothing to see. */
  from: v.nullable(v.string()),
  /** The days since `from`, at most the last 90, oldest first. */
  days: v.array(IslandDay),
  /** The last 24 hours without a gap, oldest first. */
  spans: v.array(v.object({ from: v.string(), to: v.string(), status: IslandStatus })),
  /** Newest first. */
  events: v.array(
    v.object({
      at: v.string(),
      kind: IslandStatus,
      /** The end of an `unobserved` time; null while it lasts. */
      until: v.nullable(v.string()),
    }),
  ),
  next: v.nullable(v.string()),
})
export type IslandHistory = v.InferOutput<typeof IslandHistory>

export const IslandUptime = v.object({
  isOpen: v.boolean(),
  /** Whether a device, a check or the relay shows if it is open. Without one, there is no history. */
  isWatched: v.boolean(),
  since: v.nullable(v.string()),
  /** One for each of `uptimeWindows`, in that order. */
  windows: v.array(Uptime),
})
export type IslandUptime = v.InferOutput<typeof IslandUptime>

export const readIslandHistory = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/history',
  summary:
    'When an island was open in the last 90 days, from the time when the reader might first see it',
  tag: 'Islands',
  access: 'anyone',
  params: IslandId,
  query: v.strictObject({
    /** The `next` of the previous page. Later pages have only events. */
    after: v.optional(v.pipe(v.string(), v.maxLength(64, 'This is at most 64 characters long.'))),
  }),
  answers: { 200: IslandHistory },
  errors: ['not_found', 'invalid_input', 'rate_limited'],
})

export const readIslandUptime = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/uptime',
  summary: 'The uptime of an island in the last 24 hours, 7, 30 and 90 days',
  tag: 'Islands',
  access: 'anyone',
  params: IslandId,
  answers: { 200: IslandUptime },
  errors: ['not_found', 'rate_limited'],
})
