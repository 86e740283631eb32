import * as v from 'valibot'
import { Status } from './devices.ts'
import { IslandCard } from './islands.ts'
import { searchMaxLength } from './limits.ts'
import { NeighbourDevice, NeighbourIsland } from './neighbours.ts'
import { defineRoute } from './route.ts'

/** The most results of each kind. */
export const searchLength = 8

export const SearchResults = v.object({
  /** Listed ones and, for a signed-in user, those that the user hosts or has joined. */
  islands: v.array(IslandCard),
  /** Public devices, and the user's own. */
  satellites: v.array(v.object({ id: v.string(), label: v.string(), status: Status })),
  neighbourIslands: v.array(NeighbourIsland),
  neighbourSatellites: v.array(NeighbourDevice),
  /** From an island to its neighbour. The reader may see both. */
  routes: v.array(
    v.object({
      from: v.object({ slug: v.string(), name: v.string() }),
      to: v.object({ slug: v.string(), name: v.string() }),
    }),
  ),
})
export type SearchResults = v.InferOutput<typeof SearchResults>

export const search = defineRoute({
  method: 'GET',
  path: '/api/search',
  summary: 'Search islands, satellites and routes, best matches first',
  tag: 'Search',
  access: 'anyone',
  query: v.strictObject({
    q: v.pipe(
      v.string(),
      v.maxLength(searchMaxLength, `This is at most ${searchMaxLength} characters long.`),
    ),
  }),
  answers: { 200: SearchResults },
  errors: ['invalid_input', 'rate_limited', 'overloaded'],
})
