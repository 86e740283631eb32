import type { Status } from '@astropelago/contract/devices'
import type { Clock } from '../../../clock.ts'
import {
  isInDirectory,
  isShown,
  mayEnter,
  mayEverybodyKnow,
  signedOutViewer,
} from '../access-policy.ts'
import {
  openingAt,
  pauseAt,
  presenceOf,
  type CarrierPresence,
  type DeviceStatus,
  type Opening,
  type Presence,
} from '../island-openness.ts'
import type { CheckedLink, IslandPause, LivePages, RelayOpening } from '../islands-store.ts'
import type { IslandFacts } from './public-islands-store.ts'

export interface CachedIsland {
  readonly id: string
  readonly hostKey: number | null
  readonly carrierKey: number | null
  readonly hasAddress: boolean
  readonly isRelayed: boolean
  readonly isHosted: boolean
  readonly pages: LivePages | null
  /** Stays while an operator stops the relay for it. */
  readonly relayOpening: RelayOpening | null
  readonly check: CheckedLink | null
  readonly opening: Opening
}

interface CachedIslandsOptions {
  readonly presence: Pick<CarrierPresence, 'status' | 'statusSince'>
  readonly clock: Clock
}

interface Timeless extends Omit<CachedIsland, 'opening'> {
  readonly behind: Presence
  readonly pause: IslandPause | null
  readonly served: IslandFacts | null
}

/**
 * Islands with a link follow their checks as stored, or else the flips of presence, in order; relayed ones
 * what relay-openings.ts writes.
 */
export class CachedIslands {
  readonly #islands = new Map<number, Timeless>()
  readonly #byCarrier = new Map<number, Set<number>>()
  readonly #servedBySlug = new Map<string, number>()
  readonly #servedById = new Map<string, number>()
  readonly #byDomain = new Map<string, number>()
  readonly #pausedUntil = new Map<number, number>()
  readonly #presence: CachedIslandsOptions['presence']
  readonly #clock: Clock

  constructor({ presence, clock }: CachedIslandsOptions) {
    this.#presence = presence
    this.#clock = clock
  }

  find(key: number): CachedIsland | undefined {
    const timeless = this.#islands.get(key)
    if (timeless === undefined) return undefined
    const { behind, pause, served: _, ...island } = timeless
    return { ...island, opening: openingAt(behind, pause, this.#clock()) }
  }

  relayedKeys(): readonly number[] {
    return [...this.#islands].flatMap(([key, { isRelayed }]) => (isRelayed ? [key] : []))
  }

  /** What answers visitors need to know of an island that the relay carries, or whose pages are here. */
  findServed(key: number) {
    const timeless = this.#islands.get(key)
    const island = timeless?.served
    if (!island) return undefined
    const opening = openingAt(timeless.behind, timeless.pause, this.#clock())
    const { id, slug, name, hostKey, hostName, isHostTrusted, hasRules, carrier, relayStop } =
      island
    return {
      key,
      id,
      slug,
      name,
      hostKey,
      hostName,
      carrierKey: carrier?.key ?? null,
      isRelayed: island.isRelayed,
      isHosted: island.isHosted,
      pages: island.pages,
      mayAnybodyEnter: opening.pause === null && mayEnter(island, signedOutViewer),
      mayAnybodyKnow: mayEverybodyKnow(island),
      isShown: isShown(island),
      /** Whether strangers find it without its link. */
      isInDirectory: isInDirectory(island),
      isStopped: relayStop !== null,
      isHostTrusted,
      hasRules,
      /** Only if others than its host may see the island. Otherwise the domain is like any unknown one. */
      domain: isShown(island) ? island.domain : null,
      opening,
      pause: opening.pause,
    }
  }

  /** Old slugs lead to the site, which redirects. */
  findServedBySlug(slug: string) {
    const key = this.#servedBySlug.get(slug)
    return key === undefined ? undefined : this.findServed(key)
  }

  findServedByDomain(domain: string) {
    const key = this.#byDomain.get(domain)
    const island = key === undefined ? undefined : this.findServed(key)
    return island?.domain?.name === domain ? island : undefined
  }

  findServedOfHost(hostKey: number, id: string) {
    const key = this.#servedById.get(id)
    if (key === undefined || this.#islands.get(key)?.hostKey !== hostKey) return undefined
    return this.findServed(key)
  }

  takeEndedPauses(): readonly number[] {
    const nowMs = this.#clock()
    const ended: number[] = []
    for (const [key, untilMs] of this.#pausedUntil) if (untilMs <= nowMs) ended.push(key)
    for (const key of ended) this.#pausedUntil.delete(key)
    return ended
  }

  carriedBy(deviceKey: number): readonly number[] {
    return [...(this.#byCarrier.get(deviceKey) ?? [])]
  }

  /** Queries only if memory does not know when the carrier flipped. */
  async statusSince(deviceKey: number): Promise<DeviceStatus> {
    const status = this.#presence.status(deviceKey)
    if (status === 'unknown') return { status, sinceMs: null }
    for (const key of this.#byCarrier.get(deviceKey) ?? []) {
      const island = this.#islands.get(key)
      if (island === undefined || !followsFlips(island)) continue
      const { isOpen, sinceMs } = island.behind
      if (sinceMs !== null && isOpen === (status === 'online')) return { status, sinceMs }
    }
    return await this.#presence.statusSince(deviceKey)
  }

  set(island: IslandFacts): void {
    const { key, id, hostKey, hasAddress, isRelayed, isHosted, pages, check, pause } = island
    const isServed = isRelayed || isHosted
    const carrierKey = island.carrier?.key ?? null
    const relayOpening = this.#relayOpeningOf(island)
    const behind = this.#presenceOf({ ...island, relayOpening })
    this.delete(key)
    this.#islands.set(key, {
      id,
      hostKey,
      carrierKey,
      hasAddress,
      isRelayed,
      isHosted,
      pages,
      relayOpening,
      check,
      behind,
      pause,
      served: isServed ? island : null,
    })
    const untilMs = pauseAt(pause, this.#clock())?.untilMs
    if (typeof untilMs === 'number') this.#pausedUntil.set(key, untilMs)
    if (isServed) {
      this.#servedBySlug.set(island.slug, key)
      this.#servedById.set(id, key)
      if (island.domain !== null) this.#byDomain.set(island.domain.name, key)
    }
    if (carrierKey === null) return
    const others = this.#byCarrier.get(carrierKey)
    if (others === undefined) this.#byCarrier.set(carrierKey, new Set([key]))
    else others.add(key)
  }

  delete(key: number): void {
    const island = this.#islands.get(key)
    if (island === undefined) return
    this.#islands.delete(key)
    this.#pausedUntil.delete(key)
    this.#servedById.delete(island.id)
    const slug = island.served?.slug ?? ''
    // Another island may have the slug by now.
    if (this.#servedBySlug.get(slug) === key) this.#servedBySlug.delete(slug)
    const domain = island.served?.domain?.name ?? ''
    if (this.#byDomain.get(domain) === key) this.#byDomain.delete(domain)
    if (island.carrierKey === null) return
    const others = this.#byCarrier.get(island.carrierKey)
    others?.delete(key)
    if (others?.size === 0) this.#byCarrier.delete(island.carrierKey)
  }

  /** @returns the islands that these devices open or close; a paused island stays closed */
  applyFlips(deviceKeys: readonly number[], status: Status, atMs: number): readonly number[] {
    const changed: number[] = []
    for (const deviceKey of deviceKeys) {
      for (const key of this.#byCarrier.get(deviceKey) ?? []) {
        const island = this.#islands.get(key)
        if (island === undefined || !followsFlips(island)) continue
        const isOpen = status === 'online'
        const { sinceMs } = island.behind
        if (island.behind.isOpen === isOpen && sinceMs !== null) continue
        this.#islands.set(key, { ...island, behind: { isOpen, isWatched: true, sinceMs: atMs } })
        if (pauseAt(island.pause, atMs) === null) changed.push(key)
      }
    }
    return changed
  }

  /** @returns whether the island's state changed for its viewers */
  applyRelayOpening(key: number, relayOpening: RelayOpening): boolean {
    const island = this.#islands.get(key)
    if (island?.isRelayed !== true) return false
    const last = island.relayOpening
    if (last !== null && last.sinceMs >= relayOpening.sinceMs) return false
    const behind = presenceOf({ ...island, relayOpening }, island.carrierKey !== null)
    this.#islands.set(key, { ...island, relayOpening, behind })
    if (pauseAt(island.pause, this.#clock()) !== null) return false
    return behind.isOpen !== island.behind.isOpen || behind.sinceMs !== island.behind.sinceMs
  }

  /** A published state is newer than one read from storage, unless the row has none. */
  #relayOpeningOf({ key, relayOpening }: IslandFacts): RelayOpening | null {
    const published = this.#islands.get(key)?.relayOpening ?? null
    if (relayOpening === null || published === null) return relayOpening
    return published.sinceMs > relayOpening.sinceMs ? published : relayOpening
  }

  #presenceOf(island: IslandFacts): Presence {
    const { key, carrier } = island
    if (carrier === null || !followsFlips(island)) return presenceOf(island, carrier !== null)
    const before = this.#islands.get(key)
    const isSame = before !== undefined && followsFlips(before) && before.carrierKey === carrier.key
    // Published flips are newer than what was read from storage.
    if (isSame && before.behind.sinceMs !== null) return before.behind
    const status = this.#presence.status(carrier.key)
    const sinceMs = carrier.flip?.status === status ? carrier.flip.atMs : null
    return presenceOf(island, true, { status, sinceMs })
  }
}

function followsFlips({
  hasAddress,
  isRelayed,
  isHosted,
  check,
}: Pick<CachedIsland, 'hasAddress' | 'isRelayed' | 'isHosted' | 'check'>): boolean {
  return hasAddress && !isRelayed && !isHosted && check === null
}
