import type { Status } from '@astropelago/contract/devices'
import type { VisibilityFacts } from '../access-policy.ts'
import type { IslandRecord } from '../islands-store.ts'
import type { CardFacts } from '../present-island.ts'

/** What memory holds of an island: its card, who may see it, and what opens and closes it. */
export interface IslandFacts
  extends
    VisibilityFacts,
    CardFacts,
    Pick<
      IslandRecord,
      'key' | 'hasAddress' | 'isRelayed' | 'relayStop' | 'relayOpening' | 'isHostTrusted' | 'pause'
    > {
  readonly hasRules: boolean
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

/** Reads what memory holds of islands. */
export interface PublicIslandsStore {
  /** All islands, a page at a time, by key. */
  readonly loadAll: () => AsyncIterable<readonly IslandFacts[]>
  /** Those of these islands that exist, in no order. */
  readonly read: (keys: readonly number[]) => Promise<readonly IslandFacts[]>
}
