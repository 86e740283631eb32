import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from './button.tsx'
import { SelectField } from './select.tsx'

/** A choice of all time zones. Offers the browser's own. */
export function TimeZoneField(props: {
  /** What it is for. */
  about: string
  value: string
  error: string | undefined
  onChange: (zone: string) => void
}) {
  const { about, value, error, onChange } = props
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
          {about}{' '}
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
