import type { Status } from '@astropelago/contract/devices'
import type { CarrierPresence } from '../island-openness.ts'
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
  readonly opening: Opening
}

interface KnownIslandsOptions {
  readonly presence: CarrierPresence
}

const nowhere: Opening = { isOpen: false, isWatched: false, sinceMs: null }
const unwatched: Opening = { isOpen: true, isWatched: false, sinceMs: null }

/**
 * Every island, whoever may know of it: which one a device carries, whose it is, and whether it is open.
 * What opens and closes is the word of presence, in the order in which it tells of flips.
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
      const { isOpen = false, sinceMs = null } = this.#islands.get(key)?.opening ?? {}
      if (sinceMs !== null && isOpen === (status === 'online')) return { status, sinceMs }
    }
    return await this.#presence.statusSince(deviceKey)
  }

  set(island: IslandFacts): void {
    const { key, id, hostKey, carrier, hasAddress } = island
    const carrierKey = carrier?.key ?? null
    const opening = this.#openingOf(island)
    this.delete(key)
    this.#islands.set(key, { id, hostKey, carrierKey, hasAddress, opening })
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
        if (known === undefined || !known.hasAddress) continue
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

  #openingOf({ key, hasAddress, carrier }: IslandFacts): Opening {
    if (carrier === null) return hasAddress ? unwatched : nowhere
    if (!hasAddress) return { ...nowhere, isWatched: true }
    const known = this.#islands.get(key)
    // What was told of its flips is newer than what was read.
    if (known?.carrierKey === carrier.key && known.opening.sinceMs !== null) return known.opening
    const status = this.#presence.status(carrier.key)
    const sinceMs = carrier.flip?.status === status ? carrier.flip.atMs : null
    return { isOpen: status === 'online', isWatched: true, sinceMs }
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
