import { listNeighbours, type Neighbour } from '@astropelago/contract/neighbours'
import { queryOptions, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { call } from '../lib/call.ts'
import { followFromNow } from '../lib/live-feed/follow-from-now.ts'
import type { NeighbourChanges } from '../lib/live-feed/feed-changes.ts'
import { pageFeed } from '../lib/live-feed/page-feed.ts'
import { queryKeys } from '../lib/query-keys.ts'
import { useNeighbourChoice } from './neighbour-choice.ts'
import { showIslandChanges } from './neighbour-islands-query.ts'

const freshMs = 60_000
/** A random delay up to this limit keeps pages from asking all at once. */
const askAgainMs = 5000

const neighboursQuery = queryOptions({
  queryKey: queryKeys.neighbours,
  queryFn: async ({ signal }) => (await call(listNeighbours, { signal })).neighbours,
  staleTime: freshMs,
})

export interface Neighbours {
  readonly all: readonly Neighbour[]
  /** Those whose islands and devices the user wants to see. */
  readonly shown: readonly Neighbour[]
}

const nobody: readonly Neighbour[] = []

/** The installations that this one follows. There are none while the list loads, and if it fails. */
export function useNeighbours(isNeeded = true): Neighbours {
  const { data: all = nobody } = useQuery({ ...neighboursQuery, enabled: isNeeded })
  const { areOff, hiddenIds } = useNeighbourChoice()
  return useMemo(
    () => ({ all, shown: areOff ? nobody : all.filter(({ id }) => !hiddenIds.includes(id)) }),
    [all, areOff, hiddenIds],
  )
}

/** A filter's 'all', 'here' or neighbour. One that is not shown counts as all. */
export function knownFrom(from: string | null, shown: readonly Neighbour[]): string {
  return from === 'here' || shown.some(({ id }) => id === from) ? (from ?? 'all') : 'all'
}

/** The ids of the neighbours that pass the filter. */
export function idsOf(shown: readonly Neighbour[], from: string): string[] {
  return shown.filter(({ id }) => from === 'all' || from === id).map(({ id }) => id)
}

export function useNeighbour(id: string | undefined): Neighbour | undefined {
  const { data } = useQuery({ ...neighboursQuery, enabled: id !== undefined })
  return data?.find((neighbour) => neighbour.id === id)
}

/** Keeps neighbours and their islands up to date, also the first neighbour that comes. */
export function useLiveNeighbours(): void {
  const client = useQueryClient()
  const { areOff } = useNeighbourChoice()
  useEffect(() => {
    if (areOff || pageFeed === undefined) return undefined
    let asking: ReturnType<typeof setTimeout> | undefined
    const askForIslands = () => {
      asking = undefined
      void client.invalidateQueries({ queryKey: queryKeys.neighbourIslands })
    }
    const leave = followFromNow(pageFeed, {
      onStart: () => {
        void client.invalidateQueries({ queryKey: queryKeys.neighbours })
        askForIslands()
      },
      onChanges: ({ ofNeighbours }) => {
        if (ofNeighbours === undefined) return
        showNeighbourChanges(client, ofNeighbours)
        showIslandChanges(client, ofNeighbours)
        const { changed, changedIslands } = ofNeighbours
        if (changed.length + changedIslands.length === 0) return
        asking ??= setTimeout(askForIslands, Math.random() * askAgainMs)
      },
    })
    return () => {
      clearTimeout(asking)
      leave()
    }
  }, [client, areOff])
}

function showNeighbourChanges(client: QueryClient, { changed, removedIds }: NeighbourChanges) {
  if (changed.length + removedIds.length === 0) return
  const now = new Map(changed.map((neighbour) => [neighbour.id, neighbour]))
  client.setQueryData(neighboursQuery.queryKey, (before) => {
    const kept = before?.filter(({ id }) => !now.has(id) && !removedIds.includes(id)) ?? []
    return [...kept, ...changed].toSorted((a, b) => a.name.localeCompare(b.name))
  })
}
