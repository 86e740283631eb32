import { type IslandKind, listAllIslands } from '@astropelago/contract/operator-islands'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { operatorKey } from '../operator-query.ts'

const pageLength = '50'

/** Islands, page by page. The last pages stay while others load. */
export function useIslands(search: string, only: IslandKind | undefined) {
  return useInfiniteQuery({
    queryKey: [operatorKey, 'islands', search, only],
    queryFn: ({ pageParam, signal }) =>
      call(listAllIslands, {
        query: {
          limit: pageLength,
          ...(search !== '' && { search }),
          ...(only !== undefined && { only }),
          ...(pageParam !== '' && { after: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ islands, hasMore }) => (hasMore ? islands.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
  })
}
