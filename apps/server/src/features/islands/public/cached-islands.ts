import type { Status } from '@astropelago/contract/devices'
import type { Clock } from '../../../clock.ts'
import { pauseAt, type IslandPause } from '../island-pause.ts'
import { openingAt, type CarrierPresence, type Opening, type Presence } from '../island-openness.ts'
import type { RelayOpening } from '../islands-store.ts'
import type { IslandFacts } from './public-islands-store.ts'

export interface CachedIsland {
  readonly id: string
  readonly hostKey: number | null
  readonly carrierKey: number | null
  readonly hasAddress: boolean
  readonly isRelayed: boolean
  /** Kept even while an operator stops the relay for it. */
  readonly relayOpening: RelayOpening | null
  readonly opening: Opening
}

interface KnownIslandsOptions {
  readonly presence: Pick<CarrierPresence, 'status' | 'statusSince'>
  readonly clock: Clock
}

/** What does not depend on the time. */
interface Kept extends Omit<CachedIsland, 'opening'> {
  readonly behind: Presence
  readonly pause: IslandPause | null
}

const nowhere: Presence = { isOpen: false, isWatched: false, sinceMs: null }
const unwatched: Presence = { isOpen: true, isWatched: false, sinceMs: null }

/**
 * All islands in memory, regardless of who may see them: their carriers and hosts, and whether they are
 * open. Islands with a link follow the flips of presence, in order. Relayed islands follow what
 * `relayed/relay-openings.ts` writes.
 */
export class CachedIslands {
  readonly #islands = new Map<number, Kept>()
  readonly #byCarrier = new Map<number, Set<number>>()
  /** When the pauses end that end by themselves. */
  readonly #pausedUntil = new Map<number, number>()
  readonly #presence: KnownIslandsOptions['presence']
  readonly #clock: Clock

  constructor({ presence, clock }: KnownIslandsOptions) {
    this.#presence = presence
    this.#clock = clock
  }

  find(key: number): CachedIsland | undefined {
    const kept = this.#islands.get(key)
    if (kept === undefined) return undefined
    const { behind, pause, ...known } = kept
    return { ...known, opening: openingAt(behind, pause, this.#clock()) }
  }

  /** @returns the islands whose pauses ended since the last call */
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

  /** The status from presence. It needs a query only if memory does not know when the carrier flipped. */
  async statusSince(
    deviceKey: number,
  ): Promise<{ readonly status: Status; readonly sinceMs: number | null }> {
    const status = this.#presence.status(deviceKey)
    // The device has never reported, so nothing is on record.
    if (status === 'unknown') return { status, sinceMs: null }
    for (const key of this.#byCarrier.get(deviceKey) ?? []) {
      const { isRelayed = true, behind } = this.#islands.get(key) ?? {}
      if (isRelayed || behind === undefined) continue
      const { isOpen, sinceMs } = behind
      if (sinceMs !== null && isOpen === (status === 'online')) return { status, sinceMs }
    }
    return await this.#presence.statusSince(deviceKey)
  }

  set(island: IslandFacts): void {
    const { key, id, hostKey, carrier, hasAddress, isRelayed, pause } = island
    const carrierKey = carrier?.key ?? null
    const relayOpening = this.#relayOpeningOf(island)
    const behind = isRelayed
      ? behindRelay({ hasAddress, relayOpening, isWatched: carrier !== null })
      : this.#behind(island)
    this.delete(key)
    this.#islands.set(key, {
      id,
      hostKey,
      carrierKey,
      hasAddress,
      isRelayed,
      relayOpening,
      behind,
      pause,
    })
    const untilMs = pauseAt(pause, this.#clock())?.untilMs
    if (typeof untilMs === 'number') this.#pausedUntil.set(key, untilMs)
    if (carrierKey !== null) addTo(this.#byCarrier, carrierKey, key)
  }

  delete(key: number): void {
    const known = this.#islands.get(key)
    if (known === undefined) return
    this.#islands.delete(key)
    this.#pausedUntil.delete(key)
    if (known.carrierKey !== null) removeFrom(this.#byCarrier, known.carrierKey, key)
  }

  /** @returns the islands that these devices open or close; a paused island stays closed */
  noteFlips(deviceKeys: readonly number[], status: Status, atMs: number): readonly number[] {
    const changed: number[] = []
    for (const deviceKey of deviceKeys) {
      for (const key of this.#byCarrier.get(deviceKey) ?? []) {
        const known = this.#islands.get(key)
        if (known === undefined || !known.hasAddress || known.isRelayed) continue
        const isOpen = status === 'online'
        const { sinceMs } = known.behind
        if (known.behind.isOpen === isOpen && sinceMs !== null) continue
        const behind = { isOpen, isWatched: true, sinceMs: atMs }
        this.#islands.set(key, { ...known, behind })
        if (pauseAt(known.pause, atMs) === null) changed.push(key)
      }
    }
    return changed
  }

  /** @returns whether the island's state changed for anybody who looks at it */
  noteRelayOpening(key: number, relayOpening: RelayOpening): boolean {
    const known = this.#islands.get(key)
    if (known?.isRelayed !== true) return false
    if (known.relayOpening !== null && known.relayOpening.sinceMs >= relayOpening.sinceMs)
      return false
    const isWatched = known.carrierKey !== null
    const behind = behindRelay({ ...known, relayOpening, isWatched })
    this.#islands.set(key, { ...known, relayOpening, behind })
    if (pauseAt(known.pause, this.#clock()) !== null) return false
    return behind.isOpen !== known.behind.isOpen || behind.sinceMs !== known.behind.sinceMs
  }

  /** A published state is newer than one read from storage, unless the row has none. */
  #relayOpeningOf({ key, relayOpening }: IslandFacts): RelayOpening | null {
    const told = this.#islands.get(key)?.relayOpening ?? null
    if (relayOpening === null || told === null) return relayOpening
    return told.sinceMs > relayOpening.sinceMs ? told : relayOpening
  }

  #behind({ key, hasAddress, carrier }: IslandFacts): Presence {
    if (carrier === null) return hasAddress ? unwatched : nowhere
    if (!hasAddress) return { ...nowhere, isWatched: true }
    const known = this.#islands.get(key)
    const isSame = known?.isRelayed === false && known.carrierKey === carrier.key
    // Published flips are newer than what was read from storage.
    if (isSame && known.behind.sinceMs !== null) return known.behind
    const status = this.#presence.status(carrier.key)
    const sinceMs = carrier.flip?.status === status ? carrier.flip.atMs : null
    return { isOpen: status === 'online', isWatched: true, sinceMs }
  }
}

interface RelayedFacts extends Pick<IslandFacts, 'hasAddress' | 'relayOpening'> {
  readonly isWatched: boolean
}

function behindRelay({ hasAddress, relayOpening, isWatched }: RelayedFacts): Presence {
  if (!hasAddress) return { ...nowhere, isWatched }
  return {
    isOpen: relayOpening?.isOpen === true,
    isWatched,
    sinceMs: relayOpening?.sinceMs ?? null,
  }
}

function addTo(index: Map<number, Set<number>>, under: number, key: number): void {
  const keys = index.get(under)
  if (keys === undefined) index.set(under, new Set([key]))
  else keys.add(key)
}

function removeFrom(index: Map<number, Set<number>>, under: number, key: number): void {
  const keys = index.get(under)
  keys?.delete(key)
  if (keys?.size === 0) index.delete(under)
}
