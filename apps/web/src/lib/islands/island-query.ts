import { getIsland } from '@astropelago/contract/islands'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../call.ts'

/** An island as its viewer may see it, by its slug or an old one of it. */
export function islandQuery(slug: string) {
  return queryOptions({
    queryKey: ['island', slug],
    queryFn: ({ signal }) => call(getIsland, { params: { slug }, signal }),
  })
}
