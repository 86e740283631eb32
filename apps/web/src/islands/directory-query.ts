import { listIslands } from '@astropelago/contract/island-directory'
import type { IslandCard, IslandKind } from '@astropelago/contract/islands'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'

export interface DirectoryFilter {
  readonly kind: IslandKind | undefined
  readonly isOpenOnly: boolean
  /** Only islands that are open to everybody. */
  readonly isPublicOnly: boolean
  readonly sort: 'open' | 'newest'
}

/** How often pages ask again, so that islands that open or close show up without a reload. */
export const listedIslandsEveryMs = 30_000

/** The previous result stays visible while another one loads. */
export function useDirectory({ kind, isOpenOnly, isPublicOnly, sort }: DirectoryFilter) {
  return useInfiniteQuery({
    queryKey: [...queryKeys.listedIslands, 'directory', kind, isOpenOnly, isPublicOnly, sort],
    queryFn: ({ pageParam, signal }) =>
      call(listIslands, {
        query: {
          sort,
          ...(kind !== undefined && { kind }),
          ...(isOpenOnly && { state: 'open' as const }),
          ...(isPublicOnly && { access: 'public' as const }),
          ...(pageParam !== '' && { after: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: listedIslandsEveryMs,
  })
}

/** Removes duplicates: an island that opened between two requests may be on both pages. */
export function islandsOf(
  pages: readonly { readonly islands: readonly IslandCard[] }[],
): IslandCard[] {
  const byId = new Map(pages.flatMap(({ islands }) => islands.map((island) => [island.id, island])))
  return [...byId.values()]
}
