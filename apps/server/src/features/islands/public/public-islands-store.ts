import type { Status } from '@astropelago/contract/devices'
import type { VisibilityFacts } from '../access-policy.ts'
import type { IslandRecord, RelayOpening } from '../islands-store.ts'
import type { CardFacts } from '../present-island.ts'

/** A domain of an island's own, whose proof holds. */
export interface OwnDomain {
  readonly name: string
  readonly isInLogs: boolean
}

export interface IslandFacts
  extends
    VisibilityFacts,
    CardFacts,
    Pick<
      IslandRecord,
      | 'key'
      | 'hasAddress'
      | 'isShared'
      | 'isRelayed'
      | 'isHosted'
      | 'pages'
      | 'relayStop'
      | 'relayOpening'
      | 'check'
      | 'isHostTrusted'
      | 'pause'
    > {
  readonly hasRules: boolean
  readonly domain: OwnDomain | null
  readonly carrier: {
    readonly key: number
    readonly id: string
    readonly isPublic: boolean
    readonly isShared: boolean
    readonly flip: { readonly status: Exclude<Status, 'unknown'>; readonly atMs: number } | null
  } | null
  /** In order. */
  readonly neighbourKeys: readonly number[]
}

export interface RelayOpeningOf extends RelayOpening {
  readonly islandKey: number
}

export interface PublicIslandsStore {
  /** By key. */
  readonly loadAll: () => AsyncIterable<readonly IslandFacts[]>
  /** In no order. */
  readonly read: (keys: readonly number[]) => Promise<readonly IslandFacts[]>
  /** An unchanged state keeps its time. @returns what is now on record for islands that use the relay */
  readonly recordOpenings: (
    openings: readonly RelayOpeningOf[],
  ) => Promise<readonly RelayOpeningOf[]>
}
