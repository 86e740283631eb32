import type { JournalRow } from './cluster.ts'
import type { WriterLife } from './silences.ts'

/** How many journal rows one reading takes. */
export const journalPageSize = 20_000

/** Up to which number each writer's journal has been read. */
export type Cursors = ReadonlyMap<number, number>

/** One server on the database, and the last number of its journal. */
export interface WriterState extends WriterLife {
  readonly number: number
}

/** The state of all servers, as one look at the database shows it. */
export interface ClusterState {
  readonly writers: readonly WriterState[]
  /** The number of the last message of the live feed. */
  readonly feedNumber: number
  /** The database's time. */
  readonly nowMs: number
}

export interface Renewal {
  /** False if this server is no longer registered on the database. */
  readonly isRegistered: boolean
  /** Undefined while another server leads. */
  readonly lease: { readonly term: number; readonly cursors: Cursors } | undefined
}

/** What servers that share a database record there about one another. */
export interface ClusterStore {
  readonly readState: () => Promise<ClusterState>
  /**
   * Reads up to a page of rows after the cursors. Rows that a page leaves out come later in the same
   * journal.
   */
  readonly readJournals: (cursors: Cursors) => Promise<readonly JournalRow[]>
  /** Records that this server is alive, and takes or renews the lease for this long if it can. */
  readonly renew: (leaseMs: number) => Promise<Renewal>
  readonly resign: (term: number) => Promise<void>
  /** Begins a new epoch, which separates the numbers of future messages from those given out before. */
  readonly beginEpoch: () => Promise<void>
  /** Deletes rows that every live server has read, and servers that have been gone for long. */
  readonly prune: () => Promise<void>
}
