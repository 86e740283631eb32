import type { Change } from './cluster.ts'

export const changesPageSize = 20_000

/** Up to which number each writer’s changes have been read. */
export type Cursors = ReadonlyMap<number, number>

export interface WriterState {
  readonly writer: number
  readonly number: number
  readonly alive_ms: number
  /** The last span in which it gave no sign of life. */
  readonly silent_from_ms: number | null
  readonly silent_to_ms: number | null
  readonly is_running: boolean
}

export interface ClusterState {
  readonly writers: readonly WriterState[]
  readonly feedNumber: number
  /** The database's time. */
  readonly nowMs: number
}

export interface ClusterStore {
  readonly readState: () => Promise<ClusterState>
  /** Up to a page of changes after the cursors. Those left out have higher numbers of the same writers. */
  readonly readChanges: (cursors: Cursors) => Promise<readonly Change[]>
  /** Records that this server is alive, and takes or renews the lease for this long if it can. */
  readonly renew: (leaseMs: number) => Promise<{
    /** False if this server is no longer registered on the database. */
    readonly isRegistered: boolean
    /** Undefined while another server leads. */
    readonly lease: { readonly term: number; readonly cursors: Cursors } | undefined
  }>
  readonly resign: (term: number) => Promise<void>
  /** Begins a new epoch, which separates the numbers of future messages from those given out before. */
  readonly beginEpoch: () => Promise<void>
  /** Deletes rows that every live server has read, and servers that have been gone for long. */
  readonly prune: () => Promise<void>
}
