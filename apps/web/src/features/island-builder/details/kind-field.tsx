import type { IslandKind } from '@astropelago/contract/islands'
import { useId } from 'react'
import { kindWords } from '../../../islands/island-words.ts'
import { RadioCard } from '../../../ui/radio-card.tsx'

interface KindFieldProps {
  value: IslandKind | ''
  error: string | undefined
  onChange: (kind: IslandKind) => void
}

const kinds = ['social', 'media', 'lab'] as const

/** The island's kind: a place to talk, to watch and listen, or to make things. */
export function KindField({ value, error, onChange }: KindFieldProps) {
  const id = useId()
  return (
    <fieldset
      data-invalid={error === undefined ? undefined : ''}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
      className="flex min-w-0 flex-col gap-1.5"
    >
      <legend className="mb-1.5 text-sm font-medium text-ink">Kind</legend>
      <div className="grid gap-3 sm:grid-cols-3">
        {kinds.map((kind) => (
          <RadioCard
            key={kind}
            name={id}
            value={kind}
            checked={value === kind}
            onChange={() => onChange(kind)}
            aria-labelledby={`${id}-${kind}`}
            aria-describedby={`${id}-${kind}-about`}
          >
            <span className="flex min-w-0 flex-col gap-0.5">
              <span id={`${id}-${kind}`} className="text-sm font-medium text-ink">
                {kindWords[kind].name}
              </span>
              <span id={`${id}-${kind}-about`} className="text-xs text-muted">
                {kindWords[kind].about}
              </span>
            </span>
          </RadioCard>
        ))}
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
