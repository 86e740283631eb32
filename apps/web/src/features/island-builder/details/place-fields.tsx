import type { OwnDevice } from '@astropelago/contract/devices'
import { addressOfSlug } from '@astropelago/contract/island-relay'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import Waypoints from 'virtual:icon/waypoints'
import { ownDevicesQuery } from '../../../devices/own-devices-query.ts'
import { relayQuery } from '../../../islands/relay-queries.ts'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { TextLink } from '../../../lib/text-link.tsx'
import { paths } from '../../../paths.ts'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { verbatimInput } from '../../../ui/verbatim-input.ts'
import { hasCarrier, type IslandForm, type Way } from './island-draft.ts'

const ways = [
  {
    value: 'none',
    name: t`Nowhere yet`,
    about: t`It stays closed until you give it a link or a device.`,
  },
  { value: 'link', name: t`A link`, about: t`A website or service that visitors can open.` },
  {
    value: 'relay',
    name: t`Through the relay`,
    about: t`It runs on your own device. You need no open ports and no address of your own.`,
  },
  {
    value: 'hosted',
    name: t`Pages here`,
    about: t`This server shows your files. You need no device.`,
  },
] as const

interface PlaceFieldsProps {
  form: IslandForm
  slug: string
  isPlanned: boolean
}

/** Where an island is, and the device that is watched for its state or carries it. */
export function PlaceFields({ form, slug, isPlanned }: PlaceFieldsProps) {
  const { values: draft, change, text } = form
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
  // What is already chosen stays visible even if this server no longer has it.
  const isPossible = (way: Way) =>
    way === 'none' || way === 'link' || way === draft.way || relay?.addresses != null
  return (
    <>
      <RadioCards<Way>
        legend={t`Where visitors enter`}
        options={ways.filter(({ value }) => isPossible(value))}
        value={draft.way}
        error={form.problemOf('isHosted')}
        onChange={choose}
      />
      {relayAnswer.isError && (
        <ErrorLine busy={relayAnswer.isFetching} onRetry={() => void relayAnswer.refetch()}>
          <Trans>This page could not find out whether this server has a relay.</Trans>
        </ErrorLine>
      )}
      {draft.way === 'link' && (
        <TextField
          label={t`Link`}
          {...text('address')}
          {...verbatimInput}
          inputMode="url"
          hint={t`The Enter button leads here, for example https://books.example. Only people who may enter see it.`}
        />
      )}
      {draft.way === 'relay' && relay && (
        <RelayAddressNote addresses={relay.addresses} slug={slug} isPlanned={isPlanned} />
      )}
      {draft.way === 'hosted' && !isPlanned && (
        <p className="text-sm text-muted">
          <Trans>
            Visitors enter as soon as there are files.{' '}
            <TextLink to={paths.islandSettings(slug, 'pages')}>Put them there</TextLink> after you
            save this.
          </Trans>
        </p>
      )}
      {hasCarrier(draft.way) && <CarrierField form={form} isRequired={draft.way === 'relay'} />}
      {draft.way === 'relay' && isPlanned && draft.carrier !== '' && (
        <p className="text-sm text-muted">
          <Trans>
            Next, you start a small program on that device, the agent. After you save this, Connect
            shows what to paste.
          </Trans>
        </p>
      )}
    </>
  )
}

/** The device that carries the island, or only shows whether the island is open. */
function CarrierField({ form, isRequired }: { form: IslandForm; isRequired: boolean }) {
  const query = useQuery(ownDevicesQuery)
  const { data: devices } = query
  const { carrier } = form.values
  const chosen = devices?.find(({ id }) => id === carrier)
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label={t`Device that it runs on`}
        optional={!isRequired}
        error={form.problemOf('carrier')}
        hint={carrierHint(chosen, isRequired)}
        value={carrier}
        onChange={(id) => form.change({ carrier: id })}
      >
        <option value="" disabled={isRequired}>
          {isRequired ? t`Choose a device` : t`None: it always counts as open`}
        </option>
        {/* A device that is not in the list, or not loaded yet. */}
        {carrier !== '' && !chosen && (
          <option value={carrier}>
            <Trans>The device chosen so far</Trans>
          </option>
        )}
        {devices?.map(({ id, label, visibility }) => (
          <option key={id} value={id}>
            {visibility === 'private' ? t`${label} (private)` : label}
          </option>
        ))}
      </SelectField>
      <ListFailure query={query} of="devices" />
      {devices?.length === 0 && (
        <p className="text-xs text-muted">
          <Trans>
            You have no device yet.{' '}
            <Link
              to={isRequired ? paths.connectHosting() : paths.connect()}
              className="text-accent underline underline-offset-4"
            >
              Connect one
            </Link>
            . What you typed here stays.
          </Trans>
        </p>
      )}
    </div>
  )
}

function carrierHint(chosen: OwnDevice | undefined, isRelayed: boolean): string {
  if (chosen === undefined) {
    return isRelayed
      ? t`Your island is open while the agent runs on that device.`
      : t`Without a device your island always counts as open. Its page says that nobody checks whether it is open.`
  }
  const isOpen = isRelayed
    ? t`Your island is open while the agent runs on this device.`
    : t`Your island is open while this device is online.`
  const where =
    chosen.visibility === 'private'
      ? t`The device itself stays private.`
      : t`On the globe and the map it is at the place of the device.`
  return `${isOpen} ${where}`
}

interface RelayAddressNoteProps {
  /** The pattern of addresses from the server; null if it has no relay. */
  addresses: string | null
  slug: string
  /** Whether the access policy is still undecided. */
  isPlanned: boolean
}

function RelayAddressNote({ addresses, slug, isPlanned }: RelayAddressNoteProps) {
  const address = addresses && addressOfSlug(addresses, slug || t`your-island`)
  return (
    <p className="flex items-start gap-3 rounded-control border border-line-strong bg-raised px-4 py-3 text-sm text-muted">
      <Waypoints aria-hidden className="mt-0.5 size-4 shrink-0 text-island" />
      {address === null ? (
        <span>
          <Trans>
            This server no longer has a relay, so nobody can enter. The operator of this server can
            turn it on. Until then, choose a link.
          </Trans>
        </span>
      ) : (
        <span className="min-w-0">
          <Trans>
            Visitors open{' '}
            <bdi dir="ltr" className="font-mono wrap-anywhere text-ink">
              {address}
            </bdi>
            .
          </Trans>{' '}
          {isPlanned &&
            t`Unless everybody may see your island, the address also gets six random characters, so that nobody can guess it.`}
        </span>
      )}
    </p>
  )
}
