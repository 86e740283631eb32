import type { Place } from '@astropelago/contract/place'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { searchTowns, type Towns } from '../lib/towns/search-towns.ts'
import { townsQuery } from '../lib/towns/towns-query.ts'
import { readCoordinates } from './read-coordinates.ts'

/** A place that matches the typed text. */
export interface Suggestion {
  readonly name: string
  /** Distinguishes it from others with the same name, if needed. */
  readonly detail?: string
  readonly place: Place
}

const shownTowns = 8
const none: readonly Suggestion[] = []

/** Suggestions for a text: coordinates, or towns. The list of towns is fetched once something is typed. */
export function useSuggestions(text: string) {
  const isWanted = text.trim() !== ''
  const {
    data: towns,
    isError,
    isFetching,
    refetch,
  } = useQuery({ ...townsQuery, enabled: isWanted })
  const suggestions = useMemo(() => suggest(text, towns), [text, towns])
  return {
    suggestions,
    /** The state of the list of towns. */
    state: towns ? 'ready' : isError && !isFetching ? 'failed' : 'loading',
    retry: () => void refetch(),
  } as const
}

function suggest(text: string, towns: Towns | undefined): readonly Suggestion[] {
  const place = readCoordinates(text)
  if (place !== undefined) {
    return [{ name: `${place.lat}, ${place.lon}`, place }]
  }
  if (towns === undefined) return none
  return searchTowns(towns, text, shownTowns).map(({ name, region, lat, lon }) => ({
    name,
    detail: region,
    place: { lat, lon },
  }))
}

/** The text in the search field after the place is chosen. */
export function fullName({ name, detail }: Suggestion): string {
  return detail === undefined ? name : `${name}, ${detail}`
}
