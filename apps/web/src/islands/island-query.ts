import { getIsland } from '@astropelago/contract/islands'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** An island as the viewer may see it, by its current slug or a former one. */
export function islandQuery(slug: string) {
  return queryOptions({
    queryKey: [...queryKeys.islandViews, slug],
    queryFn: ({ signal }) => call(getIsland, { params: { slug }, signal }),
  })
}
