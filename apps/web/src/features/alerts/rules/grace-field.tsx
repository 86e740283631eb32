import { alertGraceMaxS } from '@astropelago/contract/limits'
import { decimalNumber } from '../../../lib/decimal-number.ts'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'

/** A time in minutes, as it was chosen or typed. */
export interface GraceDraft {
  readonly minutes: string
  readonly isOwn: boolean
}

const choices: readonly { readonly minutes: string; readonly name: string }[] = [
  { minutes: '0', name: 'Tell me at once' },
  { minutes: '1', name: '1 minute' },
  { minutes: '5', name: '5 minutes' },
  { minutes: '15', name: '15 minutes' },
  { minutes: '60', name: '1 hour' },
  { minutes: '360', name: '6 hours' },
]
const own = 'own'

export function draftOfGrace(graceS: number): GraceDraft {
  const minutes = String(graceS / 60)
  return { minutes, isOwn: choices.every((choice) => choice.minutes !== minutes) }
}

/** The seconds; no number where none was typed. */
export function graceOf({ minutes }: GraceDraft): number {
  return Math.round((decimalNumber(minutes) ?? Number.NaN) * 60)
}

/** What is said of a grace that the contract refuses. */
export const graceProblem = `Enter minutes, from 0 to ${alertGraceMaxS / 60}.`

interface GraceFieldProps {
  value: GraceDraft
  error: string | undefined
  onChange: (value: GraceDraft) => void
}

/** How long something may be away before it is told. */
export function GraceField({ value, error, onChange }: GraceFieldProps) {
  const { minutes, isOwn } = value
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Field
        label="Wait before telling me"
        hint="What is back before that is told of in no message."
      >
        {(wiring) => (
          <Select
            {...wiring}
            value={isOwn ? own : minutes}
            onChange={({ target }) =>
              onChange(
                target.value === own
                  ? { minutes, isOwn: true }
                  : { minutes: target.value, isOwn: false },
              )
            }
          >
            {choices.map((choice) => (
              <option key={choice.minutes} value={choice.minutes}>
                {choice.name}
              </option>
            ))}
            <option value={own}>Another time…</option>
          </Select>
        )}
      </Field>
      {isOwn && (
        <TextField
          label="Minutes to wait"
          error={error}
          name="grace-minutes"
          inputMode="decimal"
          autoComplete="off"
          value={minutes}
          onChange={(text) => onChange({ minutes: text, isOwn: true })}
        />
      )}
    </div>
  )
}
