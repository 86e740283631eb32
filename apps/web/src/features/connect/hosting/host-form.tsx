import type { OwnDevice } from '@astropelago/contract/devices'
import { NewIsland, type OwnIsland } from '@astropelago/contract/islands'
import { islandsPerUser } from '@astropelago/contract/limits'
import type { Place } from '@astropelago/contract/place'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { readBy, type Reading } from '../../../lib/forms/reading.ts'
import type { ApiForm } from '../../../lib/forms/use-api-form.ts'
import { TextLink } from '../../../lib/text-link.tsx'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { statusNames } from '../../../ui/status-badge.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { NewDevice } from './new-device.tsx'
import { fieldProblem, type Hosting, type TypedField } from './typed-service.ts'
import { aNewOne, type HostingRequest, isCarriedBy } from './use-start-hosting.ts'

interface Chosen {
  /** Undefined if the user has to choose one. */
  readonly device: OwnDevice | typeof aNewOne | undefined
  readonly island: OwnIsland | typeof aNewOne
  readonly place: Place | undefined
}

interface HostFormProps {
  form: ApiForm<Hosting>
  devices: readonly OwnDevice[]
  islands: readonly OwnIsland[]
  chosen: Chosen
  onChoose: (chosen: { device?: string; island?: string }) => void
  onPlace: (place: Place | undefined) => void
  hasPort: boolean
  isBusy: boolean
  children: ReactNode
}

export function HostForm(props: HostFormProps) {
  const { form, devices, islands, chosen, onChoose, hasPort, isBusy } = props
  const { device, island, place } = chosen
  const { name } = form.values
  const isNewIsland = island === aNewOne
  const isReady =
    !isNewIsland && device !== undefined && device !== aNewOne && isCarriedBy(device, island)
  return (
    <form
      {...form.wiring}
      aria-label={t`What you host`}
      className="flex min-w-0 flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy && !isReady) form.send()
      }}
    >
      {islands.length > 0 && (
        <SelectField
          label={t`Island`}
          className="sm:max-w-96"
          value={isNewIsland ? aNewOne : island.id}
          onChange={(id) => onChoose({ island: id })}
        >
          <option value={aNewOne} disabled={islands.length >= islandsPerUser}>
            <Trans>A new island</Trans>
          </option>
          {islands.map(({ id, name: called }) => (
            <option key={id} value={id}>
              {called}
            </option>
          ))}
        </SelectField>
      )}
      {isNewIsland && (
        <TextField
          label={t`Name`}
          className="sm:max-w-96"
          autoComplete="off"
          hint={t`The name that visitors see, such as Harbor Books.`}
          {...form.text('name')}
        />
      )}
      <ServiceFields form={form} hasPort={hasPort} />
      {devices.length > 0 && (
        <SelectField
          label={t`Runs on`}
          error={device === undefined ? form.problemOf('device') : undefined}
          className="sm:max-w-96"
          value={typeof device === 'object' ? device.id : (device ?? '')}
          onChange={(id) => onChoose({ device: id })}
        >
          {device === undefined && (
            <option value="" disabled>
              <Trans>Choose a device</Trans>
            </option>
          )}
          {devices.map(({ id, label, status }) => (
            <option key={id} value={id}>
              {`${label} (${status === 'unknown' ? t`not seen yet` : statusNames[status]})`}
            </option>
          ))}
          <option value={aNewOne}>
            <Trans>A new device</Trans>
          </option>
        </SelectField>
      )}
      {device === aNewOne && (
        <NewDevice
          isFirst={devices.length === 0}
          error={place === undefined ? form.problemOf('place') : undefined}
          onPlace={props.onPlace}
        />
      )}
      {!isNewIsland && !isReady && typeof device === 'object' && (
        <p className="rounded-control bg-raised px-4 py-3.5 text-sm wrap-anywhere">
          {island.address === null ? (
            <Trans>
              Visitors will come through the relay to{' '}
              <bdi className="font-medium">{device.label}</bdi>.
            </Trans>
          ) : (
            <Trans>
              Visitors will no longer use the link. They will come through the relay to{' '}
              <bdi className="font-medium">{device.label}</bdi>.
            </Trans>
          )}
        </p>
      )}
      {props.children}
      {!isReady && (
        <div className="flex flex-col items-start gap-3">
          <Button type="submit" busy={isBusy} busyLabel={t`Preparing…`}>
            <Trans>Show the block to paste</Trans>
          </Button>
          {isNewIsland && (
            <p className="text-sm text-muted">
              <Trans>
                At first only people you invite can enter, and it is in no list. You can change
                that, its picture and everything else in its settings. If you want to choose first,
                use the{' '}
                <TextLink
                  to={paths.newIslandOn(typeof device === 'object' ? device.id : undefined, name)}
                >
                  Island Builder
                </TextLink>
                .
              </Trans>
            </p>
          )}
        </div>
      )}
    </form>
  )
}

export function readHosting(typed: Hosting, chosen: Chosen): Reading<HostingRequest> {
  const { device, island, place } = chosen
  const { name, kind } = typed
  const isNewIsland = island === aNewOne
  const carrier = device === aNewOne ? place : device
  const reading = readBy(
    v.object({ name: isNewIsland ? NewIsland.entries.name : v.string() }),
    { name },
    {
      name: isNewIsland && name.trim() === '' && t`Give your island a name.`,
      [kind]: fieldProblem(kind, typed[kind]),
      device: device === undefined && t`Choose the device that the island runs on.`,
      place:
        device === aNewOne &&
        place === undefined &&
        t`Say where the device is. A town nearby is enough.`,
    },
  )
  if ('problems' in reading) return reading
  if (carrier === undefined) return { problems: {} }
  return { body: { device: carrier, island: isNewIsland ? undefined : island, name } }
}

const kinds = [
  {
    value: 'address',
    name: t`A service`,
    about: t`A program on the device that listens on a port.`,
  },
  { value: 'folder', name: t`A folder`, about: t`A folder on the device with pages or files.` },
] as const

const machineText = {
  className: 'sm:max-w-96',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
} as const

function ServiceFields({ form, hasPort }: { form: ApiForm<Hosting>; hasPort: boolean }) {
  const { kind: chosen, isListing } = form.values
  /** Nothing can be hosted with a wrong text, so its note is shown as an error. */
  const text = (name: TypedField) => {
    const { note, error, ...input } = form.text(name)
    return { ...input, error: error ?? note }
  }
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <RadioCards
        legend={t`What does it host?`}
        options={kinds}
        value={chosen}
        onChange={(kind) => form.change({ kind })}
      />
      {chosen === 'address' ? (
        <TextField
          label={t`Port or address`}
          {...machineText}
          hint={t`The port of the program on the device, such as 8080, or an address that the device can open, such as http://192.168.1.20:3000.`}
          {...text('address')}
          name="service"
        />
      ) : (
        <>
          <TextField
            label={t`Folder`}
            {...machineText}
            hint={t`It should have an index.html. Files whose names begin with a dot are not shown.`}
            {...text('folder')}
          />
          <Checkbox
            label={t`Show a list of files in folders without an index.html`}
            checked={isListing}
            onChange={({ target }) => form.change({ isListing: target.checked })}
          />
        </>
      )}
      {hasPort && (
        <TextField
          label={t`For games and other programs`}
          optional
          {...machineText}
          hint={t`The port of your game on the device, such as 25565 for Minecraft. The port of your island leads to it.`}
          {...text('tcp')}
        />
      )}
    </div>
  )
}
