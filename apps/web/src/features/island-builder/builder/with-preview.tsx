import type { OwnDevice } from '@astropelago/contract/devices'
import { addressOfSlug } from '@astropelago/contract/island-relay'
import type { OwnIsland } from '@astropelago/contract/islands'
import { seedOf } from '@astropelago/island-picture/seeded-random'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue } from 'react'
import { relayQuery } from '../../../islands/relay-queries.ts'
import { useUser } from '../../../lib/use-user.ts'
import { paths } from '../../../paths.ts'
import { IslandCard } from '../../../islands/island-card.tsx'
import { accessWords } from '../../../islands/island-words.ts'
import { ownDevicesQuery } from '../../../devices/own-devices-query.ts'
import { draftOf, draftSlug, type IslandDraft } from '../details/island-draft.ts'
import { isSecretSlug } from '../details/slug-text.ts'
import { type AccessChoice, isKnownToAll } from '../access/audiences.ts'
import { publishDraft } from '../access/access-form.tsx'

interface WithPreviewProps {
  draft: IslandDraft
  /** The draft; undefined during the first step. */
  island: OwnIsland | undefined
  /** The access policy being chosen; by default the last one chosen. */
  choice?: AccessChoice | undefined
  picture?: number | undefined
  children: ReactNode
}

/** The settings of every new island. */
const safest: AccessChoice = { access: 'invited', isListed: false }

export function WithPreview(props: WithPreviewProps) {
  const { island } = props
  // Rendering the preview must not slow down typing.
  const draft = useDeferredValue(props.draft)
  const { username, name } = useUser()
  const choice = props.choice ?? (island && publishDraft(island.id).read()) ?? island ?? safest
  const { access, isListed } = choice
  const slug = draftSlug(draft)
  const { data: devices } = useQuery({ ...ownDevicesQuery, enabled: draft.carrier !== '' })
  const device = devices?.find(({ id }) => id === draft.carrier)
  const { data: relay } = useQuery({
    ...relayQuery,
    enabled: draft.way === 'relay' || draft.way === 'hosted',
  })
  const { start, end } = plannedSlug(slug, island, choice)
  const isThere = draft.way !== 'none'
  // Before publication only the host can enter, so the preview says no more than that it is online.
  const isOnline = island !== undefined && isOpenNow(island, draft)
  const facts = [
    { name: t`Address`, text: `${window.location.host}${paths.island(start)}${end}` },
    {
      name: t`Visitors enter at`,
      text: entrance(draft, `${start}${end}`, relay?.addresses ?? null),
    },
    { name: t`Open or closed`, text: opening(draft, device, isOnline) },
    {
      name: t`Who may come in`,
      text: `${accessWords[access].about} ${isListed ? t`Everybody can find it in Explore.` : t`It is in no list.`}`,
    },
  ]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      {props.children}
      <aside aria-label={t`Preview`} className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-24">
        <p className="text-xs font-medium text-muted">
          <Trans>Your island with what you chose so far</Trans>
        </p>
        <div className="max-lg:hidden">
          <IslandCard
            link={Title}
            island={{
              id: 'preview',
              slug: start,
              name: draft.name.trim() || t`Your island`,
              // A stand-in until a kind is chosen.
              kind: draft.kind || 'social',
              picture: props.picture ?? island?.picture ?? seedOf(slug),
              tagline: draft.tagline.trim(),
              access,
              host: name ?? username,
              isOpen: isOnline,
              isWatched: isThere,
              since: null,
              deviceId: null,
              pause: null,
              publishedAt: null,
            }}
          />
        </div>
        <dl className="flex flex-col gap-3 rounded-card border border-line bg-panel/85 p-5 text-sm">
          {facts.map((fact) => (
            <div key={fact.name} className="flex min-w-0 flex-col gap-0.5">
              <dt className="text-xs text-muted">{fact.name}</dt>
              <dd dir="auto" className="wrap-anywhere text-ink">
                {fact.text}
              </dd>
            </div>
          ))}
        </dl>
      </aside>
    </div>
  )
}

/** Not a link, because the page doesn't exist yet. */
function Title({ children }: { children: ReactNode }) {
  return <>{children}</>
}

/** The future slug. Dots stand for its random characters. */
function plannedSlug(wish: string, island: OwnIsland | undefined, choice: AccessChoice) {
  const start = wish || t`your-island`
  if (isKnownToAll(choice)) return { start, end: '' }
  return island !== undefined && isSecretSlug(island.slug)
    ? { start: island.slug, end: '' }
    : { start, end: '-••••••' }
}

function entrance(
  { way, address }: IslandDraft,
  slug: string,
  relayAddresses: string | null,
): string {
  if (way === 'none') return t`Nowhere yet.`
  if (way === 'link') return address.trim() || t`The link that you enter.`
  if (way === 'hosted' && relayAddresses === null) return t`This server.`
  return relayAddresses === null ? t`The relay.` : addressOfSlug(relayAddresses, slug)
}

/** Whether the draft is online now. The state of a link is unknown unless a device is watched for it. */
function isOpenNow(island: OwnIsland, draft: IslandDraft): boolean {
  const saved = draftOf(island)
  const isSame =
    saved.way === draft.way && saved.address === draft.address && saved.carrier === draft.carrier
  return isSame && island.isOpen && island.isWatched
}

function opening(
  { way, carrier }: IslandDraft,
  device: OwnDevice | undefined,
  isOnline: boolean,
): string {
  if (way === 'none') return t`Closed until you choose where visitors enter.`
  if (way === 'hosted') return t`Open as long as there are pages.`
  if (way === 'relay' && carrier === '')
    return t`Closed until you choose the device that it runs on.`
  const name = device?.label
  if (way === 'relay') {
    if (name === undefined) {
      return isOnline
        ? t`The agent on the device that you chose is connected. Your island opens when you publish it.`
        : t`Closed until the agent runs on the device that you chose.`
    }
    return isOnline
      ? t`The agent on ${name} is connected. Your island opens when you publish it.`
      : t`Closed until the agent runs on ${name}.`
  }
  if (carrier === '') return t`It opens when you publish it, and then always counts as open.`
  if (name === undefined) {
    return isOnline
      ? t`It opens when you publish it, and stays open while the device that you chose is online.`
      : t`Closed until the device that you chose is online.`
  }
  return isOnline
    ? t`It opens when you publish it, and stays open while ${name} is online.`
    : t`Closed until ${name} is online.`
}
