import type { Status } from '@astropelago/contract/devices'
import type { CarrierPresence } from '../island-openness.ts'
import type { RelayOpening } from '../islands-store.ts'
import type { IslandFacts } from './public-islands-store.ts'

/** Whether an island can be entered now, and since when; null where nobody knows. */
export interface Opening {
  readonly isOpen: boolean
  /** Whether a device is watched for it. */
  readonly isWatched: boolean
  readonly sinceMs: number | null
}

export interface KnownIsland {
  readonly id: string
  readonly hostKey: number | null
  readonly carrierKey: number | null
  readonly hasAddress: boolean
  readonly isRelayed: boolean
  /** Also while an operator lets the relay carry nobody to it. */
  readonly relayOpening: RelayOpening | null
  readonly opening: Opening
}

interface KnownIslandsOptions {
  readonly presence: CarrierPresence
}

const nowhere: Opening = { isOpen: false, isWatched: false, sinceMs: null }
const unwatched: Opening = { isOpen: true, isWatched: false, sinceMs: null }

/**
 * Every island, whoever may know of it: which one a device carries, whose it is, and whether it is open.
 * What opens and closes is the word of presence, in the order in which it tells of flips; of those that the
 * relay carries it is what `relayed/relay-openings.ts` writes.
 */
export class KnownIslands {
  readonly #islands = new Map<number, KnownIsland>()
  readonly #byCarrier = new Map<number, Set<number>>()
  readonly #presence: KnownIslandsOptions['presence']

  constructor({ presence }: KnownIslandsOptions) {
    this.#presence = presence
  }

  find(key: number): KnownIsland | undefined {
    return this.#islands.get(key)
  }

  carriedBy(deviceKey: number): readonly number[] {
    return [...(this.#byCarrier.get(deviceKey) ?? [])]
  }

  /** As presence says it: by a query for a carrier alone of which memory has missed when it flipped. */
  async statusSince(
    deviceKey: number,
  ): Promise<{ readonly status: Status; readonly sinceMs: number | null }> {
    const status = this.#presence.status(deviceKey)
    // It was never heard of, so there is nothing on record.
    if (status === 'unknown') return { status, sinceMs: null }
    for (const key of this.#byCarrier.get(deviceKey) ?? []) {
      const { isRelayed = true, opening } = this.#islands.get(key) ?? {}
      if (isRelayed || opening === undefined) continue
      const { isOpen, sinceMs } = opening
      if (sinceMs !== null && isOpen === (status === 'online')) return { status, sinceMs }
    }
    return await this.#presence.statusSince(deviceKey)
  }

  set(island: IslandFacts): void {
    const { key, id, hostKey, carrier, hasAddress, isRelayed } = island
    const carrierKey = carrier?.key ?? null
    const relayOpening = this.#relayOpeningOf(island)
    const opening = isRelayed
      ? openingOfRelayed({ hasAddress, relayOpening, isWatched: carrier !== null })
      : this.#openingOf(island)
    this.delete(key)
    this.#islands.set(key, {
      id,
      hostKey,
      carrierKey,
      hasAddress,
      isRelayed,
      relayOpening,
      opening,
    })
    if (carrierKey !== null) addTo(this.#byCarrier, carrierKey, key)
  }

  delete(key: number): void {
    const known = this.#islands.get(key)
    if (known === undefined) return
    this.#islands.delete(key)
    if (known.carrierKey !== null) removeFrom(this.#byCarrier, known.carrierKey, key)
  }

  /** @returns the islands that these devices open or close by it */
  noteFlips(deviceKeys: readonly number[], status: Status, atMs: number): readonly number[] {
    const changed: number[] = []
    for (const deviceKey of deviceKeys) {
      for (const key of this.#byCarrier.get(deviceKey) ?? []) {
        const known = this.#islands.get(key)
        if (known === undefined || !known.hasAddress || known.isRelayed) continue
        const isOpen = status === 'online'
        const { sinceMs } = known.opening
        if (known.opening.isOpen === isOpen && sinceMs !== null) continue
        const opening = { isOpen, isWatched: true, sinceMs: atMs }
        this.#islands.set(key, { ...known, opening })
        changed.push(key)
      }
    }
    return changed
  }

  /** @returns whether this is another than before, to whoever looks at it */
  noteRelayOpening(key: number, relayOpening: RelayOpening): boolean {
    const known = this.#islands.get(key)
    if (known?.isRelayed !== true) return false
    if (known.relayOpening !== null && known.relayOpening.sinceMs >= relayOpening.sinceMs)
      return false
    const isWatched = known.carrierKey !== null
    const opening = openingOfRelayed({ ...known, relayOpening, isWatched })
    this.#islands.set(key, { ...known, relayOpening, opening })
    return opening.isOpen !== known.opening.isOpen || opening.sinceMs !== known.opening.sinceMs
  }

  /** What was told is newer than what was read, unless that says that it was made another island. */
  #relayOpeningOf({ key, relayOpening }: IslandFacts): RelayOpening | null {
    const told = this.#islands.get(key)?.relayOpening ?? null
    if (relayOpening === null || told === null) return relayOpening
    return told.sinceMs > relayOpening.sinceMs ? told : relayOpening
  }

  #openingOf({ key, hasAddress, carrier }: IslandFacts): Opening {
    if (carrier === null) return hasAddress ? unwatched : nowhere
    if (!hasAddress) return { ...nowhere, isWatched: true }
    const known = this.#islands.get(key)
    const isSame = known?.isRelayed === false && known.carrierKey === carrier.key
    // What was told of its flips is newer than what was read.
    if (isSame && known.opening.sinceMs !== null) return known.opening
    const status = this.#presence.status(carrier.key)
    const sinceMs = carrier.flip?.status === status ? carrier.flip.atMs : null
    return { isOpen: status === 'online', isWatched: true, sinceMs }
  }
}

interface RelayedFacts extends Pick<IslandFacts, 'hasAddress' | 'relayOpening'> {
  readonly isWatched: boolean
}

function openingOfRelayed({ hasAddress, relayOpening, isWatched }: RelayedFacts): Opening {
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
