import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import townsUrl from 'virtual:towns-url'
import { indexTowns, type Towns } from './search-towns.ts'
import { TownList } from './town-list.ts'

/** The towns, fetched once while somebody needs them. A failure is told at once, with a way to retry. */
export const townsQuery = queryOptions({
  queryKey: ['towns'],
  queryFn: ({ signal }) => fetchTowns(signal),
  staleTime: Infinity,
  retry: false,
  // There is nothing to compare: a list is never fetched over another.
  structuralSharing: false,
})

async function fetchTowns(signal: AbortSignal): Promise<Towns> {
  const answer = await fetch(townsUrl, { signal })
  if (!answer.ok) throw new Error(`The towns could not be loaded: ${answer.status}`)
  return indexTowns(v.parse(TownList, await answer.json()))
}
