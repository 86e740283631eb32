import type { Status } from '@astropelago/contract/devices'
import type { VisibilityFacts } from '../access-policy.ts'
import type { IslandRecord, RelayOpening } from '../islands-store.ts'
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

export interface RelayOpeningOf extends RelayOpening {
  readonly islandKey: number
}

export interface PublicIslandsStore {
  /** All islands, a page at a time, by key. */
  readonly loadAll: () => AsyncIterable<readonly IslandFacts[]>
  /** Those of these islands that exist, in no order. */
  readonly read: (keys: readonly number[]) => Promise<readonly IslandFacts[]>
  /**
   * Records which islands agents carry, and since when; only for the leading server. An unchanged state keeps
   * its time, and the time of a new state is always later than the last.
   * @returns what is now on record for those of the islands that still use the relay
   */
  readonly recordOpenings: (
    openings: readonly RelayOpeningOf[],
  ) => Promise<readonly RelayOpeningOf[]>
}
