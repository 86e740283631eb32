import { coarsePlace, type Precision } from '@astropelago/contract/place'
import { useId } from 'react'
import { readPlace } from '../lib/typed-place.ts'
import { RadioCard } from '../ui/radio-card.tsx'
import type { DeviceDraft } from './device-draft.ts'

interface PrecisionFieldProps {
  draft: DeviceDraft
  onChange: (precision: Precision) => void
}

const choices = [
  { value: 'exact', name: 'Exactly' },
  { value: 'km1', name: 'Within about 1 km' },
  { value: 'km10', name: 'Within about 10 km' },
] as const

/** How precisely others see the device's place, with a preview of what they see. */
export function PrecisionField({ draft, onChange }: PrecisionFieldProps) {
  const id = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby={`${id}-shown`}>
      <legend className="mb-2 text-sm font-medium text-ink">How exactly others see it</legend>
      <div className="grid gap-2 sm:grid-cols-3">
        {choices.map(({ value, name }) => (
          <RadioCard
            key={value}
            name={id}
            value={value}
            checked={draft.precision === value}
            onChange={() => onChange(value)}
            align="center"
            className="min-h-10 text-sm text-ink"
          >
            {name}
          </RadioCard>
        ))}
      </div>
      <p id={`${id}-shown`} className="text-xs text-muted" data-numeric>
        {shownToOthers(draft)}
      </p>
    </fieldset>
  )
}

const preset = 'About 10 km unless you choose something else, so that nobody can find your home.'

function shownToOthers(draft: DeviceDraft): string {
  const { precision, visibility } = draft
  const place = readPlace(draft)
  if (visibility === 'private') return 'While it is private, nobody else sees it.'
  if (place === undefined) return preset
  const { lat, lon } = coarsePlace(place, precision)
  const shown = `Others see ${lat}, ${lon}.`
  return precision === 'km10' ? `${shown} ${preset}` : shown
}
