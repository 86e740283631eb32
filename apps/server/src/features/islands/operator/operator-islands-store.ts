import type { IslandKind } from '@astropelago/contract/operator-islands'
import type { FoundIsland, OperatorOrder } from '../islands-store.ts'

/** What operators do with islands, whatever their access policies. */
export interface OperatorIslandsStore {
  /** Newest first. */
  readonly list: (asked: {
    /** Part of its slug or name, or of its host's username, ignoring case. */
    readonly search?: string | undefined
    readonly only?: IslandKind | undefined
    /** The id of the last island of the page before. If it is gone, the list ends. */
    readonly after?: string | undefined
    readonly limit: number
  }) => Promise<readonly Pick<FoundIsland, 'island' | 'memberCount'>[]>
  /** False if it is gone. */
  readonly setHidden: (id: string, hidden: OperatorOrder | null) => Promise<boolean>
  /** The same. A stopped island keeps the time at which it was stopped. */
  readonly setRelayStopped: (id: string, stopped: OperatorOrder | null) => Promise<boolean>
  /**
   * Gives an island and all its slugs to another host or, with null, to the installation. Ends what the new
   * host was to the island, and removes its carrier, which is the old host's device. A host has at most
   * `limit` islands; the limit holds under simultaneous calls.
   */
  readonly handOver: (
    id: string,
    hostKey: number | null,
    limit: number,
  ) => Promise<'handed_over' | 'missing' | 'limit_reached'>
}
