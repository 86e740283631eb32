import { type ReactNode, useId } from 'react'
import { takeFocus } from './focus.ts'
import { RadioCard } from './radio-card.tsx'

interface RadioCardsProps<Value extends string> {
  readonly legend: string
  readonly hint?: string
  readonly options: readonly {
    readonly value: Value
    readonly name: ReactNode
    /** The consequence of the option. */
    readonly about: string
    readonly isOff?: boolean
    /** For the card's position in the grid. */
    readonly className?: string
  }[]
  readonly value: Value | '' | undefined
  readonly error?: string | undefined
  /** The gap and the columns of the grid. */
  readonly columns?: string
  /** Whether the first card gets the focus at once. */
  readonly takesFocus?: boolean
  readonly onChange: (value: Value) => void
}

/** A choice between options that each need a word of explanation. */
export function RadioCards<Value extends string>(props: RadioCardsProps<Value>) {
  const { legend, hint, options, value: chosen, error, takesFocus = false, onChange } = props
  const { columns = 'gap-3 sm:grid-cols-2' } = props
  const id = useId()
  return (
    <fieldset
      data-invalid={error === undefined ? undefined : ''}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
      className="flex min-w-0 flex-col gap-1.5"
    >
      <legend className="mb-1.5 text-sm font-medium text-ink">{legend}</legend>
      {hint !== undefined && <p className="text-xs text-muted">{hint}</p>}
      <div className={`grid ${columns}`}>
        {options.map(({ value, name, about, isOff = false, className }, index) => (
          <RadioCard
            key={value}
            ref={takesFocus && index === 0 ? takeFocus : undefined}
            name={id}
            value={value}
            disabled={isOff}
            checked={value === chosen}
            onChange={() => onChange(value)}
            aria-labelledby={`${id}-${value}`}
            aria-describedby={`${id}-${value}-about`}
            className={className}
          >
            <span className="flex min-w-0 flex-col gap-0.5">
              <span
                id={`${id}-${value}`}
                className="flex items-center gap-2 text-sm font-medium text-ink"
              >
                {name}
              </span>
              <span id={`${id}-${value}-about`} className="text-xs text-muted">
                {about}
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
