import type { IslandKind } from '@astropelago/contract/operator-islands'
import type { FoundIsland, OperatorOrder } from '../islands-store.ts'

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
  /** A stopped island keeps the time at which it was stopped. */
  readonly setRelayStopped: (id: string, stopped: OperatorOrder | null) => Promise<boolean>
  /** Ends what the new host was to the island. Removes the carrier, which is the old host’s device. */
  readonly handOver: (
    id: string,
    hostKey: number | null,
    limit: number,
  ) => Promise<'handed_over' | 'missing' | 'limit_reached'>
}
