import * as v from 'valibot'
import { Status } from './devices.ts'
import { AccessPolicy, IslandKind } from './islands.ts'
import { defineRoute } from './route.ts'

/** An installation that this one follows. */
export const Neighbour = v.object({
  id: v.string(),
  name: v.string(),
  /** Where it is, without a slash at the end. */
  address: v.string(),
  /** Which of the neighbours’ colours it has, from 0. */
  colour: v.number(),
  islandCount: v.number(),
  deviceCount: v.number(),
})
export type Neighbour = v.InferOutput<typeof Neighbour>

/** Its page is at the neighbour. */
export const NeighbourIsland = v.object({
  /** Unique among the islands of all neighbours. */
  id: v.string(),
  /** The neighbour’s id. */
  neighbour: v.string(),
  slug: v.string(),
  name: v.string(),
  kind: IslandKind,
  picture: v.number(),
  tagline: v.string(),
  access: AccessPolicy,
  isOpen: v.boolean(),
  /** The neighbour’s device at whose place it is, as `NeighbourDevice` has it; null if there is none. */
  deviceId: v.nullable(v.string()),
  /** Its page. */
  url: v.string(),
})
export type NeighbourIsland = v.InferOutput<typeof NeighbourIsland>

/** Its page is at the neighbour, at `/devices/` and the part of its id after the colon. */
export const NeighbourDevice = v.object({
  /** The neighbour’s id, a colon and the device’s id there. */
  id: v.string(),
  label: v.string(),
  lat: v.number(),
  lon: v.number(),
  status: Status,
})
export type NeighbourDevice = v.InferOutput<typeof NeighbourDevice>

export const listNeighbours = defineRoute({
  method: 'GET',
  path: '/api/neighbours',
  summary: 'Installations whose islands and devices are shown here',
  tag: 'Neighbours',
  access: 'anyone',
  answers: { 200: v.object({ neighbours: v.array(Neighbour) }) },
  errors: ['rate_limited'],
})

export const listNeighbourDevices = defineRoute({
  method: 'GET',
  path: '/api/neighbours/devices',
  summary: 'Devices of all neighbours',
  tag: 'Neighbours',
  access: 'anyone',
  answers: {
    200: v.object({
      /** The position in the live feed that the list includes at least. */
      sequence: v.string(),
      devices: v.array(NeighbourDevice),
    }),
    304: null,
  },
  errors: ['rate_limited'],
})

export const listNeighbourIslands = defineRoute({
  method: 'GET',
  path: '/api/neighbours/islands',
  summary: 'Islands of all neighbours, a page at a time, open ones first',
  tag: 'Neighbours',
  access: 'anyone',
  query: v.strictObject({
    kind: v.optional(IslandKind),
    /** `open`: only those that can be entered now. */
    state: v.optional(v.picklist(['all', 'open']), 'all'),
    /** `public`: only those that are public. */
    access: v.optional(v.picklist(['any', 'public']), 'any'),
    /** Only those of the neighbours with these ids, separated by commas. */
    of: v.optional(v.pipe(v.string(), v.maxLength(2000))),
    /** The `next` of the previous page. */
    after: v.optional(v.pipe(v.string(), v.maxLength(64))),
    limit: v.optional(
      v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), v.minValue(1), v.maxValue(500)),
    ),
  }),
  answers: {
    200: v.object({
      islands: v.array(NeighbourIsland),
      /** The number of matching islands on all pages. */
      total: v.number(),
      next: v.nullable(v.string()),
    }),
  },
  errors: ['invalid_input', 'rate_limited'],
})
