import type { JournalRow } from './cluster.ts'
import type { WriterLife } from './silences.ts'

/** Rows of journals in one reading. */
export const journalPageSize = 20_000

/** How far each writer's journal is known. */
export type Cursors = ReadonlyMap<number, number>

/** A server on the database, and how far its journal goes. */
export interface WriterState extends WriterLife {
  readonly number: number
}

/** What a look at the database says of everybody. */
export interface ClusterState {
  readonly writers: readonly WriterState[]
  /** Of the last message of the live feed. */
  readonly feedNumber: number
  /** The database's time. */
  readonly nowMs: number
}

export interface Renewal {
  /** False where this server is no longer one of those on the database. */
  readonly isRegistered: boolean
  /** Undefined where another server leads. */
  readonly lease: { readonly term: number; readonly cursors: Cursors } | undefined
}

/** What servers that share a database keep there of one another. */
export interface ClusterStore {
  readonly readState: () => Promise<ClusterState>
  /** What came after the cursors, up to a page of it: what is missing is later in its journal. */
  readonly readJournals: (cursors: Cursors) => Promise<readonly JournalRow[]>
  /** Says that this server lives, and takes or keeps the lease for so long where it can. */
  readonly renew: (leaseMs: number) => Promise<Renewal>
  readonly resign: (term: number) => Promise<void>
  /** Tells the numbers of messages that are to come from those that were given out before. */
  readonly beginEpoch: () => Promise<void>
  /** Deletes what all servers that may go on have read, and those that are long gone. */
  readonly prune: () => Promise<void>
}
