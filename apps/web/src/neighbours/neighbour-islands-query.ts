import type { IslandKind } from '@astropelago/contract/islands'
import { listNeighbourIslands, type NeighbourIsland } from '@astropelago/contract/neighbours'
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
} from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import type { NeighbourChanges } from '../lib/live-feed/feed-changes.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** How often pages ask again, so that islands that open or close show up without the feed too. */
const everyMs = 30_000

export interface NeighbourIslandFilter {
  readonly kind?: IslandKind | undefined
  readonly isOpenOnly: boolean
  readonly isPublicOnly: boolean
  /** The ids of the neighbours. */
  readonly of: readonly string[]
  readonly limit: number
}

interface IslandPage {
  readonly islands: readonly NeighbourIsland[]
  readonly total: number
}

/** The previous result stays visible while another one loads. */
export function neighbourIslandsQuery(filter: NeighbourIslandFilter) {
  const { kind, isOpenOnly, isPublicOnly, of, limit } = filter
  return infiniteQueryOptions({
    queryKey: [...queryKeys.neighbourIslands, filter],
    queryFn: ({ pageParam, signal }) =>
      call(listNeighbourIslands, {
        query: {
          of: of.join(','),
          limit: String(limit),
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
    refetchInterval: everyMs,
    enabled: of.length > 0,
  })
}

/** Removes duplicates: an island that opened between two requests may be on both pages. */
export function islandsOfPages(pages: readonly IslandPage[]): NeighbourIsland[] {
  const byId = new Map(pages.flatMap(({ islands }) => islands.map((island) => [island.id, island])))
  return [...byId.values()]
}

/** Shows changes at once in every cached list. Islands that came are asked for by the caller. */
export function showIslandChanges(client: QueryClient, changes: NeighbourChanges): void {
  const now = new Map(changes.changedIslands.map((island) => [island.id, island]))
  const gone = new Set(changes.removedIslandIds)
  const goneNeighbours = new Set(changes.removedIds)
  client.setQueriesData<InfiniteData<IslandPage>>(
    { queryKey: queryKeys.neighbourIslands },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => {
          const islands = page.islands
            .filter(({ id, neighbour }) => !gone.has(id) && !goneNeighbours.has(neighbour))
            .map((island) => now.get(island.id) ?? island)
          return { ...page, islands, total: page.total - page.islands.length + islands.length }
        }),
      },
  )
}
