import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import townsUrl from 'virtual:towns-url'
import { indexTowns, type Towns } from './search-towns.ts'
import { TownList } from './town-list.ts'

/** A failure shows at once, with a retry. */
export const townsQuery = queryOptions({
  queryKey: ['towns'],
  queryFn: ({ signal }) => fetchTowns(signal),
  staleTime: Infinity,
  retry: false,
  // The list is never refetched, so there is nothing to compare.
  structuralSharing: false,
})

async function fetchTowns(signal: AbortSignal): Promise<Towns> {
  const answer = await fetch(townsUrl, { signal })
  if (!answer.ok) throw new Error(`The towns could not be loaded: ${answer.status}`)
  return indexTowns(v.parse(TownList, await answer.json()))
}
