import type { Status } from '@astropelago/contract/devices'
import type { KnownFacts } from '../doors.ts'
import type { IslandPause } from '../island-pause.ts'
import type { RelayOpening } from '../islands-store.ts'
import type { CardFacts } from '../present-island.ts'

/** What memory holds of an island: its card, who may know of it, and what opens and closes it. */
export interface IslandFacts extends KnownFacts, CardFacts {
  /** Internal; people see `id`. */
  readonly key: number
  /** Whether there is a way in: a link of its own, or the relay and a device that carries it. */
  readonly hasAddress: boolean
  /** Whether its host has rules for visitors. */
  readonly hasRules: boolean
  /** Whether visitors come through the relay. */
  readonly isRelayed: boolean
  /** Whether an operator lets the relay carry nobody to it. */
  readonly isRelayStopped: boolean
  readonly isHostTrusted: boolean
  /** Null where no agent has carried it yet, or it has a link. */
  readonly relayOpening: RelayOpening | null
  /** The last one, which may be over; null where there never was one. */
  readonly pause: IslandPause | null
  readonly carrier: Carrier | null
  /** Islands that it names as its neighbours, in their order. */
  readonly neighbourKeys: readonly number[]
}

interface Carrier {
  readonly key: number
  readonly id: string
  /** Whether everybody may know of it. */
  readonly isPublic: boolean
  /** The last flip on record. */
  readonly flip: { readonly status: Exclude<Status, 'unknown'>; readonly atMs: number } | null
}

/** What is to be known of islands in memory. */
export interface PublicIslandsStore {
  /** All there are, a page at a time, by key. */
  readonly loadAll: () => AsyncIterable<readonly IslandFacts[]>
  /** Those of these keys that are there, in no order. */
  readonly read: (keys: readonly number[]) => Promise<readonly IslandFacts[]>
}
