import * as v from 'valibot'
import { Status } from './devices.ts'
import { IslandCard } from './islands.ts'
import { searchMaxLength } from './limits.ts'
import { defineRoute } from './route.ts'

/** How many of each there are at most. */
export const searchLength = 8

export const SearchResults = v.object({
  /** Listed ones, and of who is signed in their own and those that they are a member of. */
  islands: v.array(IslandCard),
  /** Public devices, and one's own. */
  satellites: v.array(v.object({ id: v.string(), label: v.string(), status: Status })),
  /** From an island to one that it names as its neighbour; the reader may know of both. */
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
  summary: 'Islands, satellites and routes by what is typed, the best first',
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
