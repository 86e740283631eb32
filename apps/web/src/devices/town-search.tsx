import type { ClipboardEvent } from 'react'
import { formatCoordinate } from '../lib/format-coordinate.ts'
import { Combobox } from '../ui/combobox.tsx'
import { Field } from '../ui/field.tsx'
import { type Suggestion, useSuggestions } from './use-suggestions.ts'

interface TownSearchProps {
  /** The text in the search field. */
  text: string
  onType: (text: string) => void
  onPick: (suggestion: Suggestion) => void
  /** Called with pasted text before it gets into the field. */
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => void
}

/** Finds a place by a town's name, or by coordinates typed as one text. */
export function TownSearch({ text, onType, onPick, onPaste }: TownSearchProps) {
  const { suggestions, state, retry } = useSuggestions(text)
  return (
    <Field
      label="Search a town"
      hint={
        <>
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
        </>
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
          listName="Towns"
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
        <span className="text-xs text-muted">Use these coordinates</span>
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
  if (suggestions.length === 1) return '1 place found'
  if (suggestions.length > 1) return `${suggestions.length} towns found, the largest first`
  if (state === 'failed') return 'The list of towns could not be loaded.'
  if (state === 'ready')
    return 'This town is not among the 20,000 largest. Choose a larger one nearby.'
  return 'Loading the list of towns…'
}
