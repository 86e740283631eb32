import { type ReactNode, useId } from 'react'
import { RadioCard } from './radio-card.tsx'

interface RadioChoicesProps<Value extends string> {
  legend: string
  hint?: string
  choices: readonly {
    readonly value: Value
    readonly name: ReactNode
    readonly about: string
    readonly isDisabled?: boolean
  }[]
  value: Value
  onChange: (value: Value) => void
}

/** One of two options, each with a line about it. */
export function RadioChoices<Value extends string>(props: RadioChoicesProps<Value>) {
  const { legend, hint, choices, value, onChange } = props
  const id = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className={`text-sm font-medium text-ink ${hint ? 'mb-1.5' : 'mb-2'}`}>
        {legend}
      </legend>
      {hint && <p className="text-xs text-muted">{hint}</p>}
      <div className="grid gap-3 sm:grid-cols-2">
        {choices.map((choice) => (
          <RadioCard
            key={choice.value}
            name={id}
            value={choice.value}
            checked={value === choice.value}
            onChange={() => onChange(choice.value)}
            disabled={choice.isDisabled}
            aria-labelledby={`${id}-${choice.value}`}
            aria-describedby={`${id}-${choice.value}-about`}
          >
            <span className="flex min-w-0 flex-col gap-0.5">
              <span
                id={`${id}-${choice.value}`}
                className="flex items-center gap-2 text-sm font-medium text-ink"
              >
                {choice.name}
              </span>
              <span id={`${id}-${choice.value}-about`} className="text-xs text-muted">
                {choice.about}
              </span>
            </span>
          </RadioCard>
        ))}
      </div>
    </fieldset>
  )
}
