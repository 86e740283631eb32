import type { IslandKind } from '@astropelago/contract/operator-islands'
import type { IslandRecord } from '../islands-store.ts'

/** An island as operators see it, whatever its door. */
export interface OperatorIslandRecord {
  readonly island: IslandRecord
  readonly memberCount: number
}

interface IslandsAsked {
  /** In its slug or name, or its host's username, without regard to case. */
  readonly search?: string | undefined
  readonly only?: IslandKind | undefined
  /** The id of the last one that is known; one that is gone ends the list. */
  readonly after?: string | undefined
  readonly limit: number
}

/** What operators do with islands. */
export interface OperatorIslandsStore {
  /** The newest first. */
  readonly list: (asked: IslandsAsked) => Promise<readonly OperatorIslandRecord[]>
  readonly find: (id: string) => Promise<OperatorIslandRecord | undefined>
  /** Those of these ids that are there. */
  readonly read: (ids: readonly string[]) => Promise<readonly IslandRecord[]>
  /** @returns the island's key; undefined where it is gone */
  readonly setHidden: (
    id: string,
    hidden: { readonly atMs: number; readonly reason: string } | null,
  ) => Promise<number | undefined>
  /** As hiding; one that is stopped already keeps its time. @returns as hiding */
  readonly setRelayStopped: (
    id: string,
    stopped: { readonly atMs: number; readonly reason: string } | null,
  ) => Promise<number | undefined>
  /**
   * Makes another user the host, with all slugs of the island, or with null the installation. What the new
   * host was to it ends, and so does what carried it, a device of the old host. A host has `limit` islands
   * at most; holds under simultaneous calls.
   */
  readonly handOver: (
    id: string,
    hostKey: number | null,
    limit: number,
  ) => Promise<'handed_over' | 'missing' | 'limit_reached'>
}
