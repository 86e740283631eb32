import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { decimalNumber } from '../../lib/decimal-number.ts'
import { SelectField } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { usualPeriods } from './check-words.ts'

/** A time as chosen, in seconds, or as typed. */
export interface PeriodDraft {
  readonly choice: string
  readonly amount: string
  readonly unitS: string
}

const own = 'own'
const units = [
  { value: 86_400, name: t`days` },
  { value: 3600, name: t`hours` },
  { value: 60, name: t`minutes` },
  { value: 1, name: t`seconds` },
]

export function draftOfPeriod(periodS: number): PeriodDraft {
  const unitS = units.find(({ value }) => periodS % value === 0)?.value ?? 1
  const isUsual = usualPeriods.some(({ s }) => s === periodS)
  return {
    choice: isUsual ? String(periodS) : own,
    amount: String(periodS / unitS),
    unitS: String(unitS),
  }
}

/** In seconds; NaN if nothing useful was typed. */
export function periodOf({ choice, amount, unitS }: PeriodDraft): number {
  if (choice !== own) return Number(choice)
  return Math.round((decimalNumber(amount) ?? Number.NaN) * Number(unitS))
}

interface PeriodFieldProps {
  label: string
  hint?: string
  /** What the choices are called. */
  form: 'name' | 'every'
  minS: number
  value: PeriodDraft
  error: string | undefined
  onChange: (value: PeriodDraft) => void
}

export function PeriodField(props: PeriodFieldProps) {
  const { label, hint, form, minS, value, error, onChange } = props
  const isOwn = value.choice === own
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <SelectField
        label={label}
        hint={hint}
        error={isOwn ? undefined : error}
        value={value.choice}
        onChange={(choice) => onChange({ ...value, choice })}
      >
        {usualPeriods
          .filter(({ s }) => s >= minS)
          .map((period) => (
            <option key={period.s} value={period.s}>
              {atStart(period[form])}
            </option>
          ))}
        <option value={own}>
          <Trans>Another time…</Trans>
        </option>
      </SelectField>
      {isOwn && (
        <div className="grid grid-cols-2 items-start gap-4">
          <TextField
            label={t`How much time`}
            error={error}
            inputMode="decimal"
            autoComplete="off"
            value={value.amount}
            onChange={(amount) => onChange({ ...value, amount })}
          />
          <SelectField
            label={t`Unit`}
            options={units}
            value={value.unitS}
            onChange={(unitS) => onChange({ ...value, unitS })}
          />
        </div>
      )}
    </div>
  )
}

function atStart(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
