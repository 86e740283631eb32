/* oxlint-disable jsx-a11y/prefer-tag-over-role -- no element is a combobox whose list holds more than text */
import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { formatCoordinate } from '../../lib/format-coordinate.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { LiveRegion } from '../../ui/live-region.tsx'
import { type Suggestion, useSuggestions } from './use-suggestions.ts'

interface TownSearchProps {
  /** What stands in the search. */
  text: string
  onType: (text: string) => void
  onPick: (suggestion: Suggestion) => void
  /** Hears of pasted text before it lands in the field. */
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => void
}

/** Finds a place by a town's name, or by coordinates in one text: a combobox whose list is below it. */
export function TownSearch({ text, onType, onPick, onPaste }: TownSearchProps) {
  const { suggestions, state, retry } = useSuggestions(text)
  const [isOpen, setIsOpen] = useState(false)
  const [activeIndex, setActiveIndex] = useState(0)
  const listId = useId()
  const box = useRef<HTMLDivElement>(null)

  const isShown = isOpen && text.trim() !== ''
  const hasList = isShown && suggestions.length > 0
  const active = hasList ? suggestions[activeIndex] : undefined
  const optionId = (index: number) => `${listId}-${index}`
  const message = messageOf(state, suggestions)

  const pick = (suggestion: Suggestion) => {
    setIsOpen(false)
    onPick(suggestion)
  }
  const move = (step: number) => {
    if (!hasList) setIsOpen(true)
    else setActiveIndex((activeIndex + step + suggestions.length) % suggestions.length)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Escape' && isShown) setIsOpen(false)
    else if (event.key === 'Enter' && isShown) {
      // Nothing is sent while a place is being looked for.
      if (active !== undefined) pick(active)
    } else return
    event.preventDefault()
  }

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
        <div
          ref={box}
          className="relative"
          onBlur={({ relatedTarget }) => {
            if (!box.current?.contains(relatedTarget)) setIsOpen(false)
          }}
        >
          <Input
            {...wiring}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={hasList}
            aria-controls={hasList ? listId : undefined}
            aria-activedescendant={active && optionId(activeIndex)}
            autoComplete="off"
            autoCapitalize="words"
            spellCheck={false}
            enterKeyHint="search"
            value={text}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onChange={({ target }) => {
              setIsOpen(true)
              setActiveIndex(0)
              onType(target.value)
            }}
          />
          {isShown && (
            <div className="absolute inset-x-0 top-full z-20 mt-0.5 overflow-hidden rounded-control border border-line-strong bg-raised shadow-raised">
              {hasList ? (
                <div
                  id={listId}
                  role="listbox"
                  aria-label="Towns"
                  className="max-h-92 overflow-y-auto"
                >
                  {suggestions.map((suggestion, index) => (
                    <SuggestionOption
                      key={`${suggestion.name}, ${suggestion.place.lat}, ${suggestion.place.lon}`}
                      id={optionId(index)}
                      suggestion={suggestion}
                      isActive={index === activeIndex}
                      onPick={() => pick(suggestion)}
                      onPoint={() => setActiveIndex(index)}
                    />
                  ))}
                </div>
              ) : (
                <p className="flex flex-wrap items-center gap-x-3 px-3.5 py-2.5 text-sm text-muted">
                  <span>{message}</span>
                  {state === 'failed' && (
                    <Button variant="link" size="sm" onClick={retry}>
                      Try again
                    </Button>
                  )}
                </p>
              )}
            </div>
          )}
          <LiveRegion>{isShown ? message : ''}</LiveRegion>
        </div>
      )}
    </Field>
  )
}

interface SuggestionOptionProps {
  id: string
  suggestion: Suggestion
  isActive: boolean
  onPick: () => void
  onPoint: () => void
}

function SuggestionOption({ id, suggestion, isActive, onPick, onPoint }: SuggestionOptionProps) {
  const { name, detail, place } = suggestion
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the focus stays in the field, which hears the keys
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onMouseDown={(event) => event.preventDefault()}
      onPointerMove={onPoint}
      onClick={onPick}
      className={classNames(
        'flex min-h-11 cursor-pointer items-center gap-3 border-l-2 px-3 py-1.5 text-sm',
        isActive ? 'border-accent bg-hover' : 'border-transparent',
      )}
    >
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
    </div>
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
