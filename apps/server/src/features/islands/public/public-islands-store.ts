import type { Status } from '@astropelago/contract/devices'
import type { DoorFacts } from '../doors.ts'
import type { CardFacts } from '../present-island.ts'

/** What memory holds of an island: its card, who may know of it, and what opens and closes it. */
export interface IslandFacts extends DoorFacts, CardFacts {
  /** Internal; people see `id`. */
  readonly key: number
  readonly hasAddress: boolean
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
