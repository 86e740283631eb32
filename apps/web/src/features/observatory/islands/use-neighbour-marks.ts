import { useInfiniteQuery } from '@tanstack/react-query'
import type { Neighbour } from '@astropelago/contract/neighbours'
import { useEffect } from 'react'
import {
  islandsOfPages,
  neighbourIslandsQuery,
} from '../../../neighbours/neighbour-islands-query.ts'
import { idsOf } from '../../../neighbours/use-neighbours.ts'
import { carriedIslands } from './carried-islands.ts'

/** How many islands of neighbours are fetched, open ones first. Those on a shared device have a mark. */
const mostIslands = 200

/** Marks the islands of these neighbours at the places of their devices. */
export function useNeighbourMarks(shown: readonly Neighbour[]): void {
  const of = idsOf(shown, 'all')
  const { data } = useInfiniteQuery(
    neighbourIslandsQuery({ isOpenOnly: false, isPublicOnly: false, of, limit: mostIslands }),
  )
  useEffect(() => {
    const islands = islandsOfPages(data?.pages ?? [])
    carriedIslands.showNeighbours(
      islands.filter(({ neighbour }) => shown.some(({ id }) => id === neighbour)),
    )
  }, [data, shown])
  useEffect(() => () => carriedIslands.showNeighbours([]), [])
}
