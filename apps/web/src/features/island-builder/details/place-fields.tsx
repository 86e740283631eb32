import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { Field } from '../../../ui/field.tsx'
import { RadioCard } from '../../../ui/radio-card.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { ListFailure } from '../../devices/list-failure.tsx'
import { ownDevicesQuery } from '../../devices/own-devices-query.ts'
import type { IslandForm } from './use-island-form.ts'

const ways = [
  { way: 'none', name: 'Nowhere yet', about: 'It stays closed until you say where it is.' },
  { way: 'link', name: 'A link', about: 'A website or service that visitors can open.' },
] as const

/** Where an island is, and which device is watched to know whether it is open. */
export function PlaceFields({ form }: { form: IslandForm }) {
  const id = useId()
  const { draft, change, errors, textField } = form
  return (
    <>
      <fieldset className="flex min-w-0 flex-col gap-1.5">
        <legend className="mb-1.5 text-sm font-medium text-ink">Where visitors enter</legend>
        <div className="grid gap-3 sm:grid-cols-2">
          {ways.map(({ way, name, about }) => (
            <RadioCard
              key={way}
              name={id}
              value={way}
              checked={draft.way === way}
              onChange={() => change({ way })}
              aria-labelledby={`${id}-${way}`}
              aria-describedby={`${id}-${way}-about`}
            >
              <span className="flex min-w-0 flex-col gap-0.5">
                <span id={`${id}-${way}`} className="text-sm font-medium text-ink">
                  {name}
                </span>
                <span id={`${id}-${way}-about`} className="text-xs text-muted">
                  {about}
                </span>
              </span>
            </RadioCard>
          ))}
        </div>
      </fieldset>
      {draft.way === 'link' && (
        <>
          <TextField
            label="Link"
            {...textField('address')}
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            hint="Where Enter leads, such as https://books.example. Only those who may enter see it."
          />
          <CarrierField
            value={draft.carrier}
            error={errors['carrier']}
            onChange={(carrier) => change({ carrier })}
          />
        </>
      )}
    </>
  )
}

interface CarrierFieldProps {
  value: string
  error: string | undefined
  onChange: (id: string) => void
}

function CarrierField({ value, error, onChange }: CarrierFieldProps) {
  const query = useQuery(ownDevicesQuery)
  const { data: devices } = query
  const chosen = devices?.find((device) => device.id === value)
  return (
    <div className="flex flex-col gap-2">
      <Field label="Device that it runs on" optional error={error} hint={carrierHint(chosen)}>
        {(wiring) => (
          <Select {...wiring} value={value} onChange={({ target }) => onChange(target.value)}>
            <option value="">None: nobody watches it</option>
            {/* One that the list does not hold, or not yet. */}
            {value !== '' && !chosen && <option value={value}>The device chosen so far</option>}
            {devices?.map(({ id, label, visibility }) => (
              <option key={id} value={id}>
                {visibility === 'private' ? `${label} (private)` : label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <ListFailure query={query} of="devices" />
      {devices?.length === 0 && (
        <p className="text-xs text-muted">
          You have no device yet.{' '}
          <Link to={paths.connect()} className="text-accent underline underline-offset-4">
            Connect one
          </Link>
          ; what you typed here is kept.
        </p>
      )}
    </div>
  )
}

function carrierHint(chosen: { readonly visibility: 'public' | 'private' } | undefined): string {
  if (chosen === undefined) {
    return 'Without one your island counts as open all the time, and says that nobody watches it.'
  }
  return chosen.visibility === 'private'
    ? 'Your island is open while this device is online. The device itself stays private.'
    : 'Your island is open while this device is online, and stands at its place on globe and map.'
}
