import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { relayQuery } from '../../../islands/relay-queries.ts'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { RadioCard } from '../../../ui/radio-card.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { ownDevicesQuery } from '../../../devices/own-devices-query.ts'
import { CarrierField } from './carrier-field.tsx'
import { RelayAddressNote } from './relay-address-note.tsx'
import type { IslandForm, Way } from './island-draft.ts'

const ways: readonly { readonly way: Way; readonly name: string; readonly about: string }[] = [
  {
    way: 'none',
    name: 'Nowhere yet',
    about: 'It stays closed until you give it a link or a device.',
  },
  { way: 'link', name: 'A link', about: 'A website or service that visitors can open.' },
  {
    way: 'relay',
    name: 'Through the relay',
    about: 'It runs on your own device. You need no open ports and no address of your own.',
  },
]

interface PlaceFieldsProps {
  form: IslandForm
  /** The slug in the address for visitors. */
  slug: string
  /** Whether the slug is only planned, because the island is not published yet. */
  isPlanned: boolean
}

/** Where an island is, and the device that is watched for its state or carries it. */
export function PlaceFields({ form, slug, isPlanned }: PlaceFieldsProps) {
  const id = useId()
  const { values: draft, change, problemOf, text } = form
  const relayAnswer = useQuery(relayQuery)
  const relay = relayAnswer.data
  const { data: devices } = useQuery({ ...ownDevicesQuery, enabled: relay?.addresses != null })
  // A single device needs no choice.
  const only = devices?.length === 1 ? devices[0] : undefined
  const choose = (way: Way) =>
    change(
      way === 'relay' && draft.carrier === '' && only !== undefined
        ? { way, carrier: only.id }
        : { way },
    )
  // If the relay is already chosen, it stays visible even if this server no longer has one.
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
          This page could not find out whether this server has a relay.
        </ErrorLine>
      )}
      {draft.way === 'link' && (
        <>
          <TextField
            label="Link"
            {...text('address')}
            autoComplete="off"
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            hint="The Enter button leads here, for example https://books.example. Only people who may enter see it."
          />
          <CarrierField
            label="Device that it runs on"
            none="None: it always counts as open"
            hint={watchedHint}
            value={draft.carrier}
            error={problemOf('carrier')}
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
            label="Device that it runs on"
            hint={carriedHint}
            value={draft.carrier}
            error={problemOf('carrier')}
            onChange={(carrier) => change({ carrier })}
          />
          {isPlanned && draft.carrier !== '' && (
            <p className="text-sm text-muted">
              Next, you start a small program on that device, the agent. After you save this,
              Connect shows what to paste.
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
    return 'Without a device your island always counts as open. Its page says that nobody checks whether it is open.'
  }
  return chosen.visibility === 'private'
    ? 'Your island is open while this device is online. The device itself stays private.'
    : 'Your island is open while this device is online. On the globe and the map it is at the place of the device.'
}

function carriedHint(chosen: Chosen): string {
  if (chosen === undefined) return 'Your island is open while the agent runs on that device.'
  return chosen.visibility === 'private'
    ? 'Your island is open while the agent runs on this device. The device itself stays private.'
    : 'Your island is open while the agent runs on this device. On the globe and the map it is at the place of the device.'
}
