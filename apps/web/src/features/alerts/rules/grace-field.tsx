import { alertGraceMaxS } from '@astropelago/contract/limits'
import { decimalNumber } from '../../../lib/decimal-number.ts'
import { SelectField } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { graceText, minutesText, usualGraces } from './grace-words.ts'

/** A grace period in minutes as chosen or typed, or the account's default. */
export type GraceDraft =
  | { readonly kind: 'account' }
  | { readonly kind: 'usual' | 'own'; readonly minutes: string }

export function draftOfGrace(graceS: number | null): GraceDraft {
  if (graceS === null) return { kind: 'account' }
  const minutes = minutesText(graceS)
  return {
    kind: usualGraces.some((choice) => choice.minutes === minutes) ? 'usual' : 'own',
    minutes,
  }
}

/** The grace period in seconds; NaN if nothing was typed, null for the account's default. */
export function graceOf(draft: GraceDraft): number | null {
  if (draft.kind === 'account') return null
  return Math.round((decimalNumber(draft.minutes) ?? Number.NaN) * 60)
}

/** The error for a grace period that the contract refuses. */
export const graceProblem = `Enter minutes, from 0 to ${alertGraceMaxS / 60}.`

interface GraceFieldProps {
  value: GraceDraft
  /** The account's grace period, if the subject can use it as the default. */
  accountS?: number
  error: string | undefined
  onChange: (value: GraceDraft) => void
}

/** How long an outage may last before an alert is sent. */
export function GraceField({ value, accountS, error, onChange }: GraceFieldProps) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <SelectField
        label="Wait before telling me"
        hint="If it is back before then, you get no alert."
        value={value.kind === 'usual' ? value.minutes : value.kind}
        onChange={(choice) => onChange(chosen(choice, value))}
      >
        {accountS !== undefined && (
          <option value="account">{`As in your account (${graceText(accountS)})`}</option>
        )}
        {usualGraces.map(({ minutes, name }) => (
          <option key={minutes} value={minutes}>
            {name}
          </option>
        ))}
        <option value="own">Another time…</option>
      </SelectField>
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
