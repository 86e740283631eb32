import * as v from 'valibot'
import { Uptime } from './history.ts'
import { IslandId } from './island-id.ts'
import { defineRoute } from './route.ts'

/** How many events a page of an island's history has. */
export const islandEventsPageLength = 50

/** A day of UTC: how long an island was open, closed or not seen to be either. */
export const IslandDay = v.object({
  /** YYYY-MM-DD. */
  day: v.string(),
  openS: v.number(),
  closedS: v.number(),
  /** While the server could not see it, or the island had nothing to be seen by. */
  unobservedS: v.number(),
  /** How often it opened or closed. */
  flips: v.number(),
  /** As it was at the end of the day, or is now; null where nothing was seen yet. */
  status: v.nullable(v.picklist(['open', 'closed'])),
})
export type IslandDay = v.InferOutput<typeof IslandDay>

const IslandStatus = v.picklist(['open', 'closed', 'unobserved'])

/** Times are ISO 8601 in UTC. */
export const IslandHistory = v.object({
  /** From when on something is told to this reader; null where there is nothing to tell. */
  from: v.nullable(v.string()),
  /** Of the last 90 days those from `from` on, the oldest first. */
  days: v.array(IslandDay),
  /** The last 24 hours without a gap, the oldest first. */
  spans: v.array(v.object({ from: v.string(), to: v.string(), status: IslandStatus })),
  /** The newest first. */
  events: v.array(
    v.object({
      at: v.string(),
      kind: IslandStatus,
      /** Of `unobserved`: its end; null while it lasts. */
      until: v.nullable(v.string()),
    }),
  ),
  next: v.nullable(v.string()),
})
export type IslandHistory = v.InferOutput<typeof IslandHistory>

export const IslandUptime = v.object({
  isOpen: v.boolean(),
  /** Whether a device or the relay is watched for it: without that there is no history. */
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
    'When an island was open, of the last 90 days: for whoever may know of it, since it may be known to them',
  tag: 'Islands',
  access: 'anyone',
  params: IslandId,
  query: v.strictObject({
    /** The `next` of the page before: with it there are more events, and the rest is empty. */
    after: v.optional(v.pipe(v.string(), v.maxLength(64, 'This is at most 64 characters long.'))),
  }),
  answers: { 200: IslandHistory },
  errors: ['not_found', 'invalid_input', 'rate_limited'],
})

export const readIslandUptime = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/uptime',
  summary: 'How much of the last 24 hours, 7, 30 and 90 days an island was open',
  tag: 'Islands',
  access: 'anyone',
  params: IslandId,
  answers: { 200: IslandUptime },
  errors: ['not_found', 'rate_limited'],
})
