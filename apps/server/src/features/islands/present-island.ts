import { avatarPath } from '@astropelago/contract/avatars'
import type { IslandCard, IslandView, OwnIsland } from '@astropelago/contract/islands'
import { enterPath } from '@astropelago/contract/relay-doors'
import type { RelayAddress } from '../../relay-address.ts'
import { mayEnter, mayJoin, mayNote, roleOf } from './doors.ts'
import type { Openness } from './island-openness.ts'
import type { FoundIsland, IslandRecord, OwnIslandRecord } from './islands-store.ts'
import { oldSlugMs } from './slugs.ts'

/** What a card shows of an island, beside whether it is open. */
export interface CardFacts extends Pick<
  IslandRecord,
  'id' | 'slug' | 'name' | 'kind' | 'picture' | 'tagline' | 'door' | 'hostName' | 'publishedMs'
> {
  readonly carrier: { readonly id: string; readonly isPublic: boolean } | null
}

/** For whoever may know of it. */
export function presentCard(island: CardFacts, openness: Openness): IslandCard {
  const { id, slug, name, kind, picture, tagline, door, hostName, carrier, publishedMs } = island
  return {
    id,
    slug,
    name,
    kind,
    picture,
    tagline,
    door,
    host: hostName,
    ...openness,
    deviceId: carrier?.isPublic === true ? carrier.id : null,
    publishedAt: toIso(publishedMs),
  }
}

/** Where whoever may enter goes; null where there is nowhere to go. */
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
  /** Whom no pause keeps out, as nobody does its host. */
  readonly isOperator: boolean
  readonly neighbours: readonly IslandCard[]
}

/** As one viewer may see it, who may know of it and of these neighbours. */
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
    // Whoever is let in all the same has to say at the door who they are.
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

/** For its host alone. */
function presentHidden({ hiddenMs, hiddenReason }: IslandRecord): OwnIsland['hidden'] {
  if (hiddenMs === null) return null
  return { at: new Date(hiddenMs).toISOString(), reason: hiddenReason ?? '' }
}

/** For its host alone; of an island with an address of its own there is nothing to say. */
function presentRelayStop({ isRelayed, relayStop }: IslandRecord): OwnIsland['relayStopped'] {
  if (!isRelayed || relayStop === null) return null
  const { atMs, reason, ofHost } = relayStop
  return { at: new Date(atMs).toISOString(), reason, ofHost }
}

function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
