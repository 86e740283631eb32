import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { alertGraceMaxS } from '@astropelago/contract/limits'
import { decimalNumber } from '../../../lib/decimal-number.ts'
import { SelectField } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'

const usualGraces: readonly { readonly minutes: string; readonly name: string }[] = [
  { minutes: '0', name: t`Tell me at once` },
  { minutes: '1', name: '1 minute' },
  { minutes: '5', name: '5 minutes' },
  { minutes: '15', name: '15 minutes' },
  { minutes: '60', name: '1 hour' },
  { minutes: '360', name: '6 hours' },
]

/**
 * Rounds to two decimals, which are enough to tell every whole second apart. The API accepts any number of
 * seconds.
 */
function minutesText(graceS: number): string {
  return String(Number((graceS / 60).toFixed(2)))
}

/** 'at once', '5 minutes', '2.5 min'. */
function graceText(graceS: number): string {
  if (graceS === 0) return 'at once'
  const minutes = minutesText(graceS)
  return usualGraces.find((choice) => choice.minutes === minutes)?.name ?? t`${minutes} min`
}

/** The same inside a sentence: 'at once', 'after 5 minutes'. */
export function afterGraceText(graceS: number): string {
  return graceS === 0 ? graceText(graceS) : `after ${graceText(graceS)}`
}

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
export const graceProblem = t`Enter minutes, from 0 to ${alertGraceMaxS / 60}.`

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
        label={t`Wait before telling me`}
        hint={t`If it is back before then, you get no alert.`}
        value={value.kind === 'usual' ? value.minutes : value.kind}
        onChange={(choice) => onChange(chosen(choice, value))}
      >
        {accountS !== undefined && (
          <option value="account">{t`As in your account (${graceText(accountS)})`}</option>
        )}
        {usualGraces.map(({ minutes, name }) => (
          <option key={minutes} value={minutes}>
            {name}
          </option>
        ))}
        <option value="own">
          <Trans>Another time…</Trans>
        </option>
      </SelectField>
      {value.kind === 'own' && (
        <TextField
          label={t`Minutes to wait`}
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
