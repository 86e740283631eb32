import { avatarPath } from '@astropelago/contract/avatars'
import type { IslandCard, IslandView, OwnIsland } from '@astropelago/contract/islands'
import { enterPath } from '@astropelago/contract/relay-access'
import type { RelayAddress } from '../../relay-address.ts'
import { mayEnter, mayJoin, mayNote, roleOf } from './access-policy.ts'
import type { Openness } from './island-openness.ts'
import type { FoundIsland, IslandRecord, OwnIslandRecord } from './islands-store.ts'
import { oldSlugMs } from './slugs.ts'

/** What a card shows besides the openness. */
export interface CardFacts extends Pick<
  IslandRecord,
  'id' | 'slug' | 'name' | 'kind' | 'picture' | 'tagline' | 'access' | 'hostName' | 'publishedMs'
> {
  readonly carrier: { readonly id: string; readonly isPublic: boolean } | null
}

/** For everybody who may see the island. */
export function presentCard(island: CardFacts, openness: Openness): IslandCard {
  const { id, slug, name, kind, picture, tagline, access, hostName, carrier, publishedMs } = island
  return {
    id,
    slug,
    name,
    kind,
    picture,
    tagline,
    access,
    host: hostName,
    ...openness,
    deviceId: carrier?.isPublic === true ? carrier.id : null,
    publishedAt: toIso(publishedMs),
  }
}

/** Where visitors who may enter go; null if there is nowhere to go. */
export function addressOf(
  { address, isRelayed, slug }: Pick<IslandRecord, 'address' | 'isRelayed' | 'slug'>,
  relayAddress: RelayAddress,
): string | null {
  return isRelayed ? relayAddress(slug) : address
}

interface Surroundings {
  readonly openness: Openness
  readonly relayAddress: RelayAddress
}

interface ViewSurroundings extends Surroundings {
  /** A pause keeps out neither operators nor the host. */
  readonly isOperator: boolean
  readonly neighbours: readonly IslandCard[]
}

/** The island as a viewer who may see it and these neighbours may see it. */
export function presentView(
  { island, viewer, memberCount }: FoundIsland,
  { openness, relayAddress, isOperator, neighbours }: ViewSurroundings,
): IslandView {
  const role = roleOf(island, viewer)
  const isEntered = mayEnter(island, viewer)
  const isPaused = openness.pause !== null
  const isLetIn = isEntered && (!isPaused || role === 'host' || isOperator)
  const address = isLetIn ? addressOf(island, relayAddress) : null
  return {
    ...presentCard(island, openness),
    hostAvatar: avatarPath(island.hostAvatar),
    about: island.about,
    ...presentRules(island),
    isListed: island.isListed,
    memberCount,
    role,
    mayEnter: isEntered,
    // Those let in during a pause have to identify themselves at the relay.
    address:
      address !== null && isPaused && island.isRelayed ? new URL(enterPath, address).href : address,
    isRelayed: island.isRelayed,
    mayJoin: mayJoin(island, viewer),
    mayNote: mayNote(island, viewer),
    neighbours: [...neighbours],
    hidden: role === 'host' ? presentHidden(island) : null,
    relayStopped: role === 'host' ? presentRelayStop(island) : null,
  }
}

/** For its host. */
export function presentOwnIsland(
  island: OwnIslandRecord,
  { openness, relayAddress }: Surroundings,
): OwnIsland {
  const { carrier } = island
  return {
    ...presentCard(island, openness),
    about: island.about,
    ...presentRules(island),
    isListed: island.isListed,
    address: island.address,
    isRelayed: island.isRelayed,
    relayAddress: island.isRelayed ? relayAddress(island.slug) : null,
    carrier: carrier && { id: carrier.id, label: carrier.label },
    neighbours: island.neighbours.map(({ slug }) => slug),
    oldSlugs: island.oldSlugs.map(({ slug, replacedMs }) => ({
      slug,
      until: new Date(replacedMs + oldSlugMs).toISOString(),
    })),
    createdAt: new Date(island.createdMs).toISOString(),
    memberCount: island.memberCount,
    requestCount: island.requestCount,
    noteCount: island.noteCount,
    hidden: presentHidden(island),
    relayStopped: presentRelayStop(island),
  }
}

function presentRules({ rules, rulesChangedMs }: IslandRecord) {
  return { rules, rulesChangedAt: toIso(rulesChangedMs) }
}

/** For its host only. */
function presentHidden({ hiddenMs, hiddenReason }: IslandRecord): OwnIsland['hidden'] {
  if (hiddenMs === null) return null
  return { at: new Date(hiddenMs).toISOString(), reason: hiddenReason ?? '' }
}

/** For its host only. Applies only to relayed islands. */
function presentRelayStop({ isRelayed, relayStop }: IslandRecord): OwnIsland['relayStopped'] {
  if (!isRelayed || relayStop === null) return null
  const { atMs, reason, ofHost } = relayStop
  return { at: new Date(atMs).toISOString(), reason, ofHost }
}

function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
