import type { QuietHours } from '@astropelago/contract/alert-rules'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { TextField } from '../../../ui/text-field.tsx'

/** As typed, even while quiet hours are off. */
export interface QuietHoursDraft extends QuietHours {
  readonly isOn: boolean
}

const usual: QuietHours = { from: '22:00', to: '07:00' }

export function draftOfQuietHours(hours: QuietHours | null): QuietHoursDraft {
  return { ...(hours ?? usual), isOn: hours !== null }
}

export function quietHoursOf({ isOn, from, to }: QuietHoursDraft): QuietHours | null {
  return isOn ? { from, to } : null
}

interface QuietHoursFieldsProps {
  value: QuietHoursDraft
  problemOf: (name: string) => string | undefined
  onChange: (value: QuietHoursDraft) => void
}

export function QuietHoursFields({ value, problemOf, onChange }: QuietHoursFieldsProps) {
  const { isOn, from, to } = value
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Checkbox
        label={t`Quiet hours`}
        hint={t`Alerts wait until your quiet hours end. Then you get one message with all of them.`}
        checked={isOn}
        onChange={({ target }) => onChange({ ...value, isOn: target.checked })}
      />
      {isOn && (
        <fieldset className="grid min-w-0 grid-cols-2 gap-4">
          <legend className="sr-only">
            <Trans>Quiet hours</Trans>
          </legend>
          <TextField
            label={t`From`}
            error={problemOf('quietHours.from')}
            type="time"
            name="quiet-from"
            value={from}
            onChange={(text) => onChange({ ...value, from: text })}
          />
          <TextField
            label={t`Until`}
            error={problemOf('quietHours.to') ?? problemOf('quietHours')}
            type="time"
            name="quiet-to"
            value={to}
            onChange={(text) => onChange({ ...value, to: text })}
          />
        </fieldset>
      )}
    </div>
  )
}
