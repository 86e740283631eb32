import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { relayQuery } from '../../../lib/islands/relay-query.ts'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { RadioCard } from '../../../ui/radio-card.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { ownDevicesQuery } from '../../devices/own-devices-query.ts'
import { CarrierField } from './carrier-field.tsx'
import { RelayAddressNote } from './relay-address-note.tsx'
import type { Way } from './island-draft.ts'
import type { IslandForm } from './use-island-form.ts'

const ways: readonly { readonly way: Way; readonly name: string; readonly about: string }[] = [
  { way: 'none', name: 'Nowhere yet', about: 'It stays closed until you say where it is.' },
  { way: 'link', name: 'A link', about: 'A website or service that visitors can open.' },
  {
    way: 'relay',
    name: 'Through the relay',
    about: 'It runs on a device of yours: no open ports, no address of your own.',
  },
]

interface PlaceFieldsProps {
  form: IslandForm
  /** The slug by which visitors will come. */
  slug: string
  /** Whether it has to be published before that is its own. */
  isPlanned: boolean
}

/** Where an island is, and which device is watched to know whether it is open, or carries it. */
export function PlaceFields({ form, slug, isPlanned }: PlaceFieldsProps) {
  const id = useId()
  const { draft, change, errors, textField } = form
  const relayAnswer = useQuery(relayQuery)
  const relay = relayAnswer.data
  const { data: devices } = useQuery({ ...ownDevicesQuery, enabled: relay?.addresses != null })
  // The only one there is need not be chosen.
  const only = devices?.length === 1 ? devices[0] : undefined
  const choose = (way: Way) =>
    change(
      way === 'relay' && draft.carrier === '' && only !== undefined
        ? { way, carrier: only.id }
        : { way },
    )
  // Where it is chosen it stays there to be seen, whatever this server has by now.
  const hasRelay = draft.way === 'relay' || (relay !== undefined && relay.addresses !== null)
  return (
    <>
      <fieldset className="flex min-w-0 flex-col gap-1.5">
        <legend className="mb-1.5 text-sm font-medium text-ink">Where visitors enter</legend>
        <div className="grid gap-3 sm:grid-cols-2">
          {ways
            .filter(({ way }) => way !== 'relay' || hasRelay)
            .map(({ way, name, about }) => (
              <RadioCard
                key={way}
                name={id}
                value={way}
                checked={draft.way === way}
                onChange={() => choose(way)}
                aria-labelledby={`${id}-${way}`}
                aria-describedby={`${id}-${way}-about`}
                {...(way === 'relay' && { className: 'sm:col-span-2' })}
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
      {relayAnswer.isError && (
        <ErrorLine busy={relayAnswer.isFetching} onRetry={() => void relayAnswer.refetch()}>
          Whether visitors can enter through this server’s relay could not be loaded.
        </ErrorLine>
      )}
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
            label="Device that it runs on"
            none="None: nobody watches it"
            hint={watchedHint}
            value={draft.carrier}
            error={errors['carrier']}
            onChange={(carrier) => change({ carrier })}
          />
        </>
      )}
      {draft.way === 'relay' && (
        <>
          {relay && (
            <RelayAddressNote addresses={relay.addresses} slug={slug} isPlanned={isPlanned} />
          )}
          <CarrierField
            label="Device that runs it"
            hint={carriedHint}
            value={draft.carrier}
            error={errors['carrier']}
            onChange={(carrier) => change({ carrier })}
          />
          {isPlanned && draft.carrier !== '' && (
            <p className="text-sm text-muted">
              Next, that device runs a small agent: once this is saved, Connect shows the one block
              to paste.
            </p>
          )}
        </>
      )}
    </>
  )
}

type Chosen = { readonly visibility: 'public' | 'private' } | undefined

function watchedHint(chosen: Chosen): string {
  if (chosen === undefined) {
    return 'Without one your island counts as open all the time, and says that nobody watches it.'
  }
  return chosen.visibility === 'private'
    ? 'Your island is open while this device is online. The device itself stays private.'
    : 'Your island is open while this device is online, and stands at its place on globe and map.'
}

function carriedHint(chosen: Chosen): string {
  if (chosen === undefined) return 'Your island is open while the agent runs on it.'
  return chosen.visibility === 'private'
    ? 'Your island is open while the agent runs on this device. The device itself stays private.'
    : 'Your island is open while the agent runs on this device, and stands at its place on globe and map.'
}
