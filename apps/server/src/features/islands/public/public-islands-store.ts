import type { Status } from '@astropelago/contract/devices'
import type { VisibilityFacts } from '../access-policy.ts'
import type { IslandPause } from '../island-pause.ts'
import type { RelayOpening } from '../islands-store.ts'
import type { CardFacts } from '../present-island.ts'

/** What memory holds of an island: its card, who may see it, and what opens and closes it. */
export interface IslandFacts extends VisibilityFacts, CardFacts {
  /** Internal. The API shows `id`. */
  readonly key: number
  /** Whether there is a way in: a link, or the relay and a device that carries it. */
  readonly hasAddress: boolean
  /** Whether its host has rules for visitors. */
  readonly hasRules: boolean
  /** Whether visitors come through the relay. */
  readonly isRelayed: boolean
  /** Whether an operator stopped the relay for it. */
  readonly isRelayStopped: boolean
  readonly isHostTrusted: boolean
  /** Null if no agent has carried it yet, or if it has a link. */
  readonly relayOpening: RelayOpening | null
  /** The last one, which may be over; null if there never was one. */
  readonly pause: IslandPause | null
  readonly carrier: Carrier | null
  /** The islands that it names as neighbours, in order. */
  readonly neighbourKeys: readonly number[]
}

interface Carrier {
  readonly key: number
  readonly id: string
  /** Whether everybody may see it. */
  readonly isPublic: boolean
  /** The last flip on record. */
  readonly flip: { readonly status: Exclude<Status, 'unknown'>; readonly atMs: number } | null
}

/** What memory needs to know of islands. */
export interface PublicIslandsStore {
  /** All islands, a page at a time, by key. */
  readonly loadAll: () => AsyncIterable<readonly IslandFacts[]>
  /** Those of these islands that exist, in no order. */
  readonly read: (keys: readonly number[]) => Promise<readonly IslandFacts[]>
}
