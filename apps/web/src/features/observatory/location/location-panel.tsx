import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { useSavedLocation } from '../../../lib/saved-location.ts'
import { Card } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { formatCoordinate } from '../../../lib/format-coordinate.ts'
import type { Attention } from '../attention.ts'
import { LocationForm } from './location-form.tsx'

/** The place of the visitor's own device: one line while closed, a form when open. */
export function LocationPanel({ attention }: { attention: Attention }) {
  const saved = useSavedLocation()
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <Card className="@container gap-0! p-0!">
      <h2 className="text-lg font-semibold">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
          className="flex w-full items-center gap-3 rounded-card px-5 py-4 text-left transition-colors hover:bg-hover"
        >
          <span className="flex min-w-0 grow flex-col gap-0.5">
            My location
            <span className="font-sans text-sm font-normal wrap-anywhere text-muted" data-numeric>
              {saved === undefined ? (
                'Not saved yet'
              ) : (
                <>
                  <bdi>{saved.label}</bdi>
                  {` · ${formatCoordinate(saved.lat)}, ${formatCoordinate(saved.lon)}`}
                </>
              )}
            </span>
          </span>
          <ChevronDown
            aria-hidden
            className={classNames(
              'size-4 shrink-0 text-muted transition-transform',
              isOpen && 'rotate-180',
            )}
          />
        </button>
      </h2>
      {/* Hidden, not removed: what is typed stays. */}
      <div id={id} hidden={!isOpen} className="border-t border-line p-5">
        <LocationForm attention={attention} />
      </div>
    </Card>
  )
}
