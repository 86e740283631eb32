import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/select.tsx'

interface TimeZoneFieldProps {
  value: string
  error: string | undefined
  onChange: (zone: string) => void
}

/** The time zone of quiet hours and of times in messages. Offers the browser's own. */
export function TimeZoneField({ value, error, onChange }: TimeZoneFieldProps) {
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone
  // Not every browser lists UTC, or the older zone names that it accepts.
  const zones = new Set([value, here, 'UTC', ...Intl.supportedValuesOf('timeZone')])
  return (
    <SelectField
      label="Time zone"
      error={error}
      hint={
        <>
          For your quiet hours and for the times in alerts.{' '}
          {here !== value && (
            <Button
              variant="link"
              size="sm"
              className="max-w-full text-start text-xs! wrap-anywhere whitespace-normal!"
              onClick={() => onChange(here)}
            >
              Use {zoneName(here)}, as this browser does
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
