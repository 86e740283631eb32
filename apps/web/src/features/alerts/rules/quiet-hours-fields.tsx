import type { QuietHours } from '@astropelago/contract/alert-rules'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { SelectField } from '../../../ui/select.tsx'
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

/** The time zone of quiet hours and of times in messages. Offers the browser's own. */
export function TimeZoneField(props: {
  value: string
  error: string | undefined
  onChange: (zone: string) => void
}) {
  const { value, error, onChange } = props
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const hereName = zoneName(here)
  // Not every browser lists UTC, or the older zone names that it accepts.
  const zones = new Set([value, here, 'UTC', ...Intl.supportedValuesOf('timeZone')])
  return (
    <SelectField
      label={t`Time zone`}
      error={error}
      hint={
        <>
          <Trans>For your quiet hours and for the times in alerts.</Trans>{' '}
          {here !== value && (
            <Button
              variant="link"
              size="sm"
              className="max-w-full text-start text-xs! wrap-anywhere whitespace-normal!"
              onClick={() => onChange(here)}
            >
              <Trans>Use {hereName}, as this browser does</Trans>
            </Button>
          )}
        </>
      }
      options={Array.from(zones)
        .toSorted((a, b) => a.localeCompare(b))
        .map((zone) => ({ value: zone, name: zoneName(zone) }))}
      value={value}
      onChange={onChange}
    />
  )
}

function zoneName(zone: string): string {
  return zone.replaceAll('_', ' ')
}
