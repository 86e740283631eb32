import { avatarPath } from '@astropelago/contract/avatars'
import type { IslandCard, IslandView, OwnIsland } from '@astropelago/contract/islands'
import { enterPath } from '@astropelago/contract/relay-access'
import { isoTime } from '../../iso-time.ts'
import type { RelayAddress } from '../../relay-address.ts'
import { mayEnter, mayJoin, mayNote, roleOf } from './access-policy.ts'
import { findIfVisibleBySlug } from './find-island.ts'
import { readVisibleOpenness, type CarrierPresence, type Openness } from './island-openness.ts'
import type { IslandsContext } from './islands-context.ts'
import type { FoundIsland, IslandRecord, OwnIslandRecord } from './islands-store.ts'
import { oldSlugMs } from './slugs.ts'

export interface CardFacts extends Pick<
  IslandRecord,
  'id' | 'slug' | 'name' | 'kind' | 'picture' | 'tagline' | 'access' | 'hostName' | 'publishedMs'
> {
  readonly carrier: { readonly id: string; readonly isPublic: boolean } | null
}

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
    publishedAt: isoTime(publishedMs),
  }
}

export async function readCard(
  found: Pick<FoundIsland, 'island' | 'viewer'>,
  presence: CarrierPresence,
): Promise<IslandCard> {
  return presentCard(found.island, await readVisibleOpenness(found, presence))
}

/** Null if there is nowhere to go. */
export function addressOf(
  island: Pick<IslandRecord, 'address' | 'isRelayed' | 'isHosted' | 'hasAddress' | 'slug'>,
  relayAddress: RelayAddress,
): string | null {
  const { address, isRelayed, isHosted, hasAddress, slug } = island
  if (isHosted && !hasAddress) return null
  return isRelayed || isHosted ? relayAddress(slug) : address
}

/** Undefined if the viewer may not see the island. Null means not signed in. */
export async function viewIsland(
  context: IslandsContext,
  viewerKey: number | null,
  slug: string,
  isOperator = false,
): Promise<IslandView | undefined> {
  const { islands, presence, relayAddress } = context
  const found = await findIfVisibleBySlug(context, viewerKey, slug)
  if (found === undefined) return undefined
  const { island, viewer, memberCount } = found
  const visible = await islands.listNeighbours(viewerKey, island.key)
  const neighbours = await Promise.all(visible.map((neighbour) => readCard(neighbour, presence)))
  const openness = await readVisibleOpenness(found, presence)
  const role = roleOf(island, viewer)
  const isEntered = mayEnter(island, viewer)
  const isPaused = openness.pause !== null
  // A pause keeps out neither operators nor the host.
  const isLetIn = isEntered && (!isPaused || role === 'host' || isOperator)
  const address = isLetIn ? addressOf(island, relayAddress) : null
  const isIdentified = isPaused && (island.isRelayed || island.isHosted)
  return {
    ...presentCard(island, openness),
    hostAvatar: avatarPath(island.hostAvatar),
    ...presentTexts(island),
    isListed: island.isListed,
    memberCount,
    role,
    mayEnter: isEntered,
    // Those let in during a pause have to identify themselves at the relay.
    address: address !== null && isIdentified ? new URL(enterPath, address).href : address,
    isRelayed: island.isRelayed,
    isHosted: island.isHosted,
    mayJoin: mayJoin(island, viewer),
    mayNote: mayNote(island, viewer),
    neighbours,
    ...(role === 'host' ? presentOrders(island) : { hidden: null, relayStopped: null }),
  }
}

export function presentOwnIsland(
  island: OwnIslandRecord,
  openness: Openness,
  relayAddress: RelayAddress,
): OwnIsland {
  const { carrier, address, isRelayed, isHosted, isListed, isShared } = island
  const { memberCount, requestCount, noteCount } = island
  return {
    ...presentCard(island, openness),
    ...presentTexts(island),
    isListed,
    isShared,
    address,
    isRelayed,
    isHosted,
    relayAddress: isRelayed || isHosted ? relayAddress(island.slug) : null,
    carrier: carrier && { id: carrier.id, label: carrier.label },
    neighbours: island.neighbours.map(({ slug }) => slug),
    oldSlugs: island.oldSlugs.map(({ slug, replacedMs }) => ({
      slug,
      until: isoTime(replacedMs + oldSlugMs),
    })),
    createdAt: isoTime(island.createdMs),
    memberCount,
    requestCount,
    noteCount,
    ...presentOrders(island),
  }
}

function presentTexts({ about, rules, rulesChangedMs }: IslandRecord) {
  return { about, rules, rulesChangedAt: isoTime(rulesChangedMs) }
}

/** Only the host may see these. */
export function presentOrders(island: IslandRecord): Pick<OwnIsland, 'hidden' | 'relayStopped'> {
  const { hiddenMs, hiddenReason, isRelayed, isHosted, relayStop } = island
  return {
    hidden: hiddenMs === null ? null : { at: isoTime(hiddenMs), reason: hiddenReason ?? '' },
    relayStopped:
      (isRelayed || isHosted) && relayStop !== null
        ? { at: isoTime(relayStop.atMs), reason: relayStop.reason, ofHost: relayStop.ofHost }
        : null,
  }
}
