import type { OwnDevice } from '@astropelago/contract/devices'
import { NewIsland, type OwnIsland } from '@astropelago/contract/islands'
import { islandsPerUser } from '@astropelago/contract/limits'
import type { Place } from '@astropelago/contract/place'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import * as v from 'valibot'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useFieldNotes } from '../../../lib/use-field-notes.ts'
import type { Hosting } from './kept-hosting.ts'
import { NewDevice } from './new-device.tsx'
import { ServiceFields } from './service-fields.tsx'
import { fieldTrouble, type TypedField, type TypedService } from './typed-service.ts'
import { aNewOne } from './use-hosting-place.ts'
import { isCarriedBy } from './use-start-hosting.ts'

interface HostFormProps {
  typed: Hosting
  onType: (typed: Hosting) => void
  devices: readonly OwnDevice[]
  islands: readonly OwnIsland[]
  /** Undefined if the user has to choose one. */
  device: OwnDevice | typeof aNewOne | undefined
  island: OwnIsland | typeof aNewOne
  /** Ids, or `new`. */
  onChoose: (chosen: { device?: string; island?: string }) => void
  /** Whether the island has a port of its own. */
  hasPort: boolean
  /** Why the server refused the name. */
  nameError: string | undefined
  isBusy: boolean
  onSubmit: (device: OwnDevice | Place) => void
  /** The error message. */
  children: ReactNode
}

/** The first step of hosting: what to host, its name, and the device that it runs on. */
export function HostForm(props: HostFormProps) {
  const { typed, onType, devices, islands, device, island, onChoose, hasPort, isBusy } = props
  const { name, service } = typed
  const isNewIsland = island === aNewOne
  const isReady =
    !isNewIsland && device !== undefined && device !== aNewOne && isCarriedBy(device, island)
  const notes = useFieldNotes<TypedField>(service, fieldTrouble)
  const [place, setPlace] = useState<Place>()
  const [errors, setErrors] = useState<Errors>(noErrors)
  const form = useRef<HTMLFormElement>(null)
  const nameError = errors.name ?? props.nameError
  useEffect(() => {
    if (errors !== noErrors || props.nameError !== undefined) {
      form.current?.querySelector<HTMLElement>('[aria-invalid], [data-invalid] input')?.focus()
    }
  }, [errors, props.nameError])

  const submit = () => {
    const problems = problemsIn({ name: isNewIsland ? name : undefined, service, device, place })
    setErrors(problems)
    if (Object.values(problems).some((problem) => problem !== undefined)) return
    const chosen = device === aNewOne ? place : device
    if (chosen !== undefined) props.onSubmit(chosen)
  }
  return (
    <form
      ref={form}
      noValidate
      aria-label="What you host"
      onMouseDownCapture={notes.onMouseDownCapture}
      className="flex min-w-0 flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy && !isReady) submit()
      }}
    >
      {islands.length > 0 && (
        <Field label="Island" className="sm:max-w-96">
          {(wiring) => (
            <Select
              {...wiring}
              value={isNewIsland ? aNewOne : island.id}
              onChange={({ target }) => onChoose({ island: target.value })}
            >
              <option value={aNewOne} disabled={islands.length >= islandsPerUser}>
                A new island
              </option>
              {islands.map(({ id, name: called }) => (
                <option key={id} value={id}>
                  {called}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {isNewIsland && (
        <TextField
          label="Name"
          name="name"
          className="sm:max-w-96"
          autoComplete="off"
          hint="The name that visitors see, such as Harbor Books."
          error={nameError}
          value={name}
          onChange={(next) => {
            setErrors(noErrors)
            onType({ ...typed, name: next })
          }}
        />
      )}
      <ServiceFields
        typed={service}
        troubleFor={(field) =>
          notes.noteFor(field) ?? (field === service.kind ? errors.service : undefined)
        }
        hasPort={hasPort}
        onType={(next: TypedService) => {
          notes.follow(next)
          setErrors(noErrors)
          onType({ ...typed, service: next })
        }}
        onLeave={(field) => void notes.leave(field)}
      />
      {devices.length > 0 && (
        <Field label="Runs on" error={errors.device} className="sm:max-w-96">
          {(wiring) => (
            <Select
              {...wiring}
              value={typeof device === 'object' ? device.id : (device ?? '')}
              onChange={({ target }) => {
                setErrors(noErrors)
                onChoose({ device: target.value })
              }}
            >
              {device === undefined && (
                <option value="" disabled>
                  Choose a device
                </option>
              )}
              {devices.map(({ id, label, status }) => (
                <option key={id} value={id}>
                  {`${label} (${status === 'unknown' ? 'not seen yet' : status})`}
                </option>
              ))}
              <option value={aNewOne}>A new device</option>
            </Select>
          )}
        </Field>
      )}
      {device === aNewOne && (
        <NewDevice
          isFirst={devices.length === 0}
          error={place === undefined ? errors.place : undefined}
          onPlace={setPlace}
        />
      )}
      {!isNewIsland && !isReady && typeof device === 'object' && (
        <p className="rounded-control bg-raised px-4 py-3.5 text-sm wrap-anywhere">
          {island.address === null
            ? 'Visitors will come through the relay to '
            : 'Visitors will no longer use the link. They will come through the relay to '}
          <bdi className="font-medium">{device.label}</bdi>.
        </p>
      )}
      {props.children}
      {!isReady && (
        <div className="flex flex-col items-start gap-3">
          <Button type="submit" busy={isBusy}>
            {isBusy ? 'Preparing…' : 'Show the block to paste'}
          </Button>
          {isNewIsland && (
            <p className="text-sm text-muted">
              At first only people you invite can enter, and it is in no list. You can change that,
              its picture and everything else in its settings. If you want to choose first, use the{' '}
              <Link
                to={paths.newIslandOn(typeof device === 'object' ? device.id : undefined, name)}
                className="text-accent underline underline-offset-4"
              >
                Island Builder
              </Link>
              .
            </p>
          )}
        </div>
      )}
    </form>
  )
}

type Errors = Readonly<Record<'name' | 'service' | 'device' | 'place', string | undefined>>
const noErrors: Errors = {
  name: undefined,
  service: undefined,
  device: undefined,
  place: undefined,
}

interface Filled {
  /** Undefined if the form doesn't ask for one. */
  readonly name: string | undefined
  readonly service: TypedService
  readonly device: OwnDevice | typeof aNewOne | undefined
  readonly place: Place | undefined
}

/** The form's errors, found before anything is created. */
function problemsIn({ name, service, device, place }: Filled): Errors {
  const refusal =
    name === undefined ? undefined : v.safeParse(NewIsland.entries.name, name).issues?.[0].message
  return {
    name: name?.trim() === '' ? 'Give your island a name.' : refusal,
    service: fieldTrouble(service.kind, service[service.kind]),
    device: device === undefined ? 'Choose the device that the island runs on.' : undefined,
    place:
      device === aNewOne && place === undefined
        ? 'Say where the device is. A town nearby is enough.'
        : undefined,
  }
}
