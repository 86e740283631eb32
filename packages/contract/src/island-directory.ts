import * as v from 'valibot'
import { IslandCard, IslandKind } from './islands.ts'
import { LogEntry } from './island-log.ts'
import { carriedIslandsListed, chartIslandsMax } from './limits.ts'
import { defineRoute } from './route.ts'
import { Slug } from './slugs.ts'

/** Islands, or signals, per page of the directory. */
export const directoryPageLength = 24

const After = v.optional(v.pipe(v.string(), v.maxLength(64, 'This is at most 64 characters long.')))

export const listIslands = defineRoute({
  method: 'GET',
  path: '/api/islands',
  summary: 'The directory of listed islands, a page at a time, the same for everybody',
  tag: 'Islands',
  access: 'anyone',
  query: v.strictObject({
    kind: v.optional(IslandKind),
    /**
     * Only the island whose current slug this is. If it is not listed, there are none, as for an island
     * that does not exist.
     */
    slug: v.optional(Slug),
    /** `open`: only those that can be entered now. */
    state: v.optional(v.picklist(['all', 'open']), 'all'),
    /** `public`: only those that are public. */
    access: v.optional(v.picklist(['any', 'public']), 'any'),
    /** Open ones first and then the newest, or just the newest first. */
    sort: v.optional(v.picklist(['open', 'newest']), 'open'),
    /** The `next` of the previous page. */
    after: After,
  }),
  answers: {
    200: v.object({
      islands: v.array(IslandCard),
      /** The number of matching islands on all pages. */
      total: v.number(),
      next: v.nullable(v.string()),
    }),
  },
  errors: ['invalid_input', 'rate_limited'],
})

export const getIslandChart = defineRoute({
  method: 'GET',
  path: '/api/islands/chart',
  summary: `Up to ${chartIslandsMax} listed islands, those with the most routes first, and the routes between them`,
  tag: 'Islands',
  access: 'anyone',
  answers: {
    200: v.object({
      islands: v.array(IslandCard),
      /** Indexes in `islands`: an island and one that it names as its neighbour. */
      routes: v.array(v.tuple([v.number(), v.number()])),
      /** The number of all listed islands. */
      total: v.number(),
    }),
  },
  errors: ['rate_limited'],
})

export const listCarriedIslands = defineRoute({
  method: 'GET',
  path: '/api/islands/carried',
  summary: `Up to ${carriedIslandsListed} listed islands at the location of a public device, newest first; the ETag is the sequence to follow the live feed from`,
  tag: 'Islands',
  access: 'anyone',
  answers: { 200: v.array(IslandCard), 304: null },
  errors: ['rate_limited'],
})

export const listSignals = defineRoute({
  method: 'GET',
  path: '/api/islands/signals',
  summary: 'Signals from listed, public islands: upcoming ones first, then the newest',
  tag: 'Islands',
  access: 'anyone',
  query: v.strictObject({ after: After }),
  answers: {
    200: v.object({
      signals: v.array(v.object({ island: IslandCard, entry: LogEntry })),
      next: v.nullable(v.string()),
    }),
  },
  errors: ['invalid_input', 'rate_limited'],
})
