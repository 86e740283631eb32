import type { Place } from '@astropelago/contract/place'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ClipboardEvent, useMemo } from 'react'
import { formatCoordinate } from '../lib/format-coordinate.ts'
import { searchTowns, type Towns } from '../lib/towns/search-towns.ts'
import { townsQuery } from '../lib/towns/towns-query.ts'
import { Combobox } from '../ui/combobox.tsx'
import { Field } from '../ui/field.tsx'
import { readCoordinates } from './read-coordinates.ts'

interface TownSearchProps {
  text: string
  onType: (text: string) => void
  onPick: (suggestion: Suggestion) => void
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => void
}

export function TownSearch({ text, onType, onPick, onPaste }: TownSearchProps) {
  const { suggestions, state, retry } = useSuggestions(text)
  return (
    <Field
      label={t`Search a town`}
      hint={
        <Trans>
          Or paste coordinates such as 52.52, 13.405. Towns:{' '}
          <a
            href="https://www.geonames.org/"
            target="_blank"
            rel="noopener noreferrer"
            className="underline underline-offset-2 hover:text-ink"
          >
            GeoNames
          </a>
          , CC BY 4.0.
        </Trans>
      }
    >
      {(wiring) => (
        <Combobox
          {...wiring}
          autoCapitalize="words"
          text={text}
          onType={onType}
          onPaste={onPaste}
          options={suggestions}
          keyOf={({ name, place }) => `${name}, ${place.lat}, ${place.lon}`}
          optionContent={SuggestionText}
          onPick={onPick}
          listName={t`Towns`}
          message={messageOf(state, suggestions)}
          onRetry={state === 'failed' ? retry : undefined}
        />
      )}
    </Field>
  )
}

function SuggestionText({ option: { name, detail, place } }: { option: Suggestion }) {
  return (
    <>
      <span className="min-w-0 flex-1 wrap-anywhere">
        <span className="font-medium">{name}</span>
        {detail !== undefined && <span className="text-muted">{`, ${detail}`}</span>}
      </span>
      {detail === undefined ? (
        <span className="text-xs text-muted">
          <Trans>Use these coordinates</Trans>
        </span>
      ) : (
        <span className="shrink-0 text-xs text-muted" data-numeric>
          {formatCoordinate(place.lat)}, {formatCoordinate(place.lon)}
        </span>
      )}
    </>
  )
}

function messageOf(
  state: ReturnType<typeof useSuggestions>['state'],
  suggestions: readonly Suggestion[],
): string {
  const count = suggestions.length
  if (count > 0) {
    return plural(count, { one: '# place found', other: '# towns found, the largest first' })
  }
  if (state === 'failed') return t`The list of towns could not be loaded.`
  if (state === 'ready')
    return t`This town is not among the 20,000 largest. Choose a larger one nearby.`
  return t`Loading the list of towns…`
}

interface Suggestion {
  readonly name: string
  /** Distinguishes it from others with the same name, if needed. */
  readonly detail?: string
  readonly place: Place
}

const shownTowns = 8
const none: readonly Suggestion[] = []

/** Suggestions for a text: coordinates, or towns. The list of towns is fetched once something is typed. */
function useSuggestions(text: string) {
  const enabled = text.trim() !== ''
  const query = useQuery({ ...townsQuery, enabled })
  const { data: towns, isError, isFetching, refetch } = query
  const suggestions = useMemo(() => suggest(text, towns), [text, towns])
  return {
    suggestions,
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

export function fullName({ name, detail }: Suggestion): string {
  return detail === undefined ? name : `${name}, ${detail}`
}
