import type { IslandCard, OwnIsland } from '@astropelago/contract/islands'
import { isoTime } from '../../iso-time.ts'
import type { RelayAddress } from '../../relay-address.ts'
import { readVisibleOpenness, type CarrierPresence, type Openness } from './island-openness.ts'
import type { FoundIsland, IslandRecord, OwnIslandRecord } from './islands-store.ts'
import { oldSlugMs } from './slugs.ts'

/** What a card shows besides the openness. */
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

/** For a viewer who may see the island. */
export async function readCard(
  found: Pick<FoundIsland, 'island' | 'viewer'>,
  presence: CarrierPresence,
): Promise<IslandCard> {
  return presentCard(found.island, await readVisibleOpenness(found, presence))
}

/** Where visitors who may enter go; null if there is nowhere to go. */
export function addressOf(
  { address, isRelayed, slug }: Pick<IslandRecord, 'address' | 'isRelayed' | 'slug'>,
  relayAddress: RelayAddress,
): string | null {
  return isRelayed ? relayAddress(slug) : address
}

export function presentOwnIsland(
  island: OwnIslandRecord,
  openness: Openness,
  relayAddress: RelayAddress,
): OwnIsland {
  const { carrier, address, isRelayed, isListed } = island
  const { memberCount, requestCount, noteCount } = island
  return {
    ...presentCard(island, openness),
    ...presentTexts(island),
    isListed,
    address,
    isRelayed,
    relayAddress: isRelayed ? relayAddress(island.slug) : null,
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

export function presentTexts({ about, rules, rulesChangedMs }: IslandRecord) {
  return { about, rules, rulesChangedAt: isoTime(rulesChangedMs) }
}

/** What operators ordered. Only its host may see it. */
export function presentOrders(island: IslandRecord): Pick<OwnIsland, 'hidden' | 'relayStopped'> {
  const { hiddenMs, hiddenReason, isRelayed, relayStop } = island
  return {
    hidden: hiddenMs === null ? null : { at: isoTime(hiddenMs), reason: hiddenReason ?? '' },
    relayStopped:
      isRelayed && relayStop !== null
        ? { at: isoTime(relayStop.atMs), reason: relayStop.reason, ofHost: relayStop.ofHost }
        : null,
  }
}
