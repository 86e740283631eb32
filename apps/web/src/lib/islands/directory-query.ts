import { listIslands } from '@astropelago/contract/island-directory'
import type { IslandCard, IslandKind } from '@astropelago/contract/islands'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../call.ts'

/** What of the directory is asked for. */
export interface DirectoryFilter {
  /** Every kind where it is left out. */
  readonly kind: IslandKind | undefined
  readonly isOpenOnly: boolean
  /** Those alone whose door is everybody's. */
  readonly isPublicOnly: boolean
  readonly sort: 'open' | 'newest'
}

/** Whatever is asked of listed islands. */
export const listedIslandsKey = 'listed-islands'
/** How often a page that shows them asks again: who opens and closes is seen there without a reload. */
export const listedIslandsEveryMs = 30_000

/** Listed islands, a page after the other; the last ones stay while others are asked for. */
export function useDirectory({ kind, isOpenOnly, isPublicOnly, sort }: DirectoryFilter) {
  return useInfiniteQuery({
    queryKey: [listedIslandsKey, 'directory', kind, isOpenOnly, isPublicOnly, sort],
    queryFn: ({ pageParam, signal }) =>
      call(listIslands, {
        query: {
          sort,
          ...(kind !== undefined && { kind }),
          ...(isOpenOnly && { state: 'open' as const }),
          ...(isPublicOnly && { door: 'public' as const }),
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

/** Each island once: one that opened between two pages may stand on both. */
export function islandsOf(
  pages: readonly { readonly islands: readonly IslandCard[] }[],
): IslandCard[] {
  const byId = new Map(pages.flatMap(({ islands }) => islands.map((island) => [island.id, island])))
  return [...byId.values()]
}
