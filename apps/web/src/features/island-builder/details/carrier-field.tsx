import type { OwnDevice } from '@astropelago/contract/devices'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { SelectField } from '../../../ui/select.tsx'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { ownDevicesQuery } from '../../../devices/own-devices-query.ts'

interface CarrierFieldProps {
  label: string
  /** The label for no device. Absent if a device is required. */
  none?: string
  hint: (chosen: OwnDevice | undefined) => string
  value: string
  error: string | undefined
  onChange: (id: string) => void
}

/** The device that an island runs on. */
export function CarrierField({ label, none, hint, value, error, onChange }: CarrierFieldProps) {
  const query = useQuery(ownDevicesQuery)
  const { data: devices } = query
  const chosen = devices?.find((device) => device.id === value)
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label={label}
        optional={none !== undefined}
        error={error}
        hint={hint(chosen)}
        value={value}
        onChange={onChange}
      >
        <option value="" disabled={none === undefined}>
          {none ?? 'Choose a device'}
        </option>
        {/* A device that is not in the list, or not loaded yet. */}
        {value !== '' && !chosen && <option value={value}>The device chosen so far</option>}
        {devices?.map(({ id, label: name, visibility }) => (
          <option key={id} value={id}>
            {visibility === 'private' ? `${name} (private)` : name}
          </option>
        ))}
      </SelectField>
      <ListFailure query={query} of="devices" />
      {devices?.length === 0 && (
        <p className="text-xs text-muted">
          You have no device yet.{' '}
          <Link
            to={none === undefined ? paths.connectHosting() : paths.connect()}
            className="text-accent underline underline-offset-4"
          >
            Connect one
          </Link>
          . What you typed here is kept.
        </p>
      )}
    </div>
  )
}
