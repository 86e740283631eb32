import { alertGraceMaxS } from '@astropelago/contract/limits'
import { decimalNumber } from '../../../lib/decimal-number.ts'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'

/** A time in minutes as it was chosen or typed, or that it is as in the account. */
export type GraceDraft =
  | { readonly kind: 'account' }
  | { readonly kind: 'usual' | 'own'; readonly minutes: string }

const usual: readonly { readonly minutes: string; readonly name: string }[] = [
  { minutes: '0', name: 'Tell me at once' },
  { minutes: '1', name: '1 minute' },
  { minutes: '5', name: '5 minutes' },
  { minutes: '15', name: '15 minutes' },
  { minutes: '60', name: '1 hour' },
  { minutes: '360', name: '6 hours' },
]

export function draftOfGrace(graceS: number | null): GraceDraft {
  if (graceS === null) return { kind: 'account' }
  const minutes = minutesText(graceS)
  return { kind: usual.some((choice) => choice.minutes === minutes) ? 'usual' : 'own', minutes }
}

/** The seconds, no number where none was typed; null: as in the account. */
export function graceOf(draft: GraceDraft): number | null {
  if (draft.kind === 'account') return null
  return Math.round((decimalNumber(draft.minutes) ?? Number.NaN) * 60)
}

/** To two decimals, which name each whole second: by the API any number of them may have been set. */
export function minutesText(graceS: number): string {
  return String(Number((graceS / 60).toFixed(2)))
}

function graceText(graceS: number): string {
  if (graceS === 0) return 'at once'
  const minutes = minutesText(graceS)
  return usual.find((choice) => choice.minutes === minutes)?.name.toLowerCase() ?? `${minutes} min`
}

/** What is said of a grace that the contract refuses. */
export const graceProblem = `Enter minutes, from 0 to ${alertGraceMaxS / 60}.`

interface GraceFieldProps {
  value: GraceDraft
  /** What the account says, where a thing may go by it. */
  accountS?: number
  error: string | undefined
  onChange: (value: GraceDraft) => void
}

/** How long something may be away before it is told. */
export function GraceField({ value, accountS, error, onChange }: GraceFieldProps) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Field label="Wait before telling me" hint="What is back before then is in no message.">
        {(wiring) => (
          <Select
            {...wiring}
            value={value.kind === 'usual' ? value.minutes : value.kind}
            onChange={({ target }) => onChange(chosen(target.value, value))}
          >
            {accountS !== undefined && (
              <option value="account">{`As in your account (${graceText(accountS)})`}</option>
            )}
            {usual.map(({ minutes, name }) => (
              <option key={minutes} value={minutes}>
                {name}
              </option>
            ))}
            <option value="own">Another time…</option>
          </Select>
        )}
      </Field>
      {value.kind === 'own' && (
        <TextField
          label="Minutes to wait"
          error={error}
          name="grace-minutes"
          inputMode="decimal"
          autoComplete="off"
          value={value.minutes}
          onChange={(minutes) => onChange({ kind: 'own', minutes })}
        />
      )}
    </div>
  )
}

function chosen(choice: string, before: GraceDraft): GraceDraft {
  if (choice === 'account') return { kind: 'account' }
  if (choice !== 'own') return { kind: 'usual', minutes: choice }
  return { kind: 'own', minutes: before.kind === 'account' ? '' : before.minutes }
}
