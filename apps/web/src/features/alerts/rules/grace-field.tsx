import { alertGraceMaxS } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { language } from '../../../language/language.ts'
import { decimalNumber } from '../../../lib/decimal-number.ts'
import { SelectField } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'

const usualGraces = [
  { minutes: '0', name: t`Tell me at once`, after: t`at once` },
  { minutes: '1', name: t`1 minute`, after: t`after 1 minute` },
  { minutes: '5', name: t`5 minutes`, after: t`after 5 minutes` },
  { minutes: '15', name: t`15 minutes`, after: t`after 15 minutes` },
  { minutes: '60', name: t`1 hour`, after: t`after 1 hour` },
  { minutes: '360', name: t`6 hours`, after: t`after 6 hours` },
]
const maxMinutes = alertGraceMaxS / 60

/**
 * Rounds to two decimals, which are enough to tell every whole second apart. The API accepts any number of
 * seconds.
 */
function minutesText(graceS: number): string {
  return String(Number((graceS / 60).toFixed(2)))
}

function shownMinutes(graceS: number): string {
  return (graceS / 60).toLocaleString(language, { maximumFractionDigits: 2 })
}

function usualGrace(graceS: number) {
  const minutes = minutesText(graceS)
  return usualGraces.find((choice) => choice.minutes === minutes)
}

/** 'at once', '5 minutes', '2.5 min'. */
function graceText(graceS: number): string {
  if (graceS === 0) return t`at once`
  const minutes = shownMinutes(graceS)
  return usualGrace(graceS)?.name ?? t`${minutes} min`
}

/** 'at once', 'after 5 minutes', 'after 2.5 min'. */
export function afterGraceText(graceS: number): string {
  const minutes = shownMinutes(graceS)
  return usualGrace(graceS)?.after ?? t`after ${minutes} min`
}

/** A grace period in minutes as chosen or typed, or the account's default. */
export type GraceDraft =
  | { readonly kind: 'account' }
  | { readonly kind: 'usual' | 'own'; readonly minutes: string }

export function draftOfGrace(graceS: number | null): GraceDraft {
  if (graceS === null) return { kind: 'account' }
  return { kind: usualGrace(graceS) ? 'usual' : 'own', minutes: minutesText(graceS) }
}

/** The grace period in seconds; NaN if nothing was typed, null for the account's default. */
export function graceOf(draft: GraceDraft): number | null {
  if (draft.kind === 'account') return null
  return Math.round((decimalNumber(draft.minutes) ?? Number.NaN) * 60)
}

/** The error for a grace period that the contract refuses. */
export const graceProblem = t`Enter minutes, from 0 to ${maxMinutes}.`

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
