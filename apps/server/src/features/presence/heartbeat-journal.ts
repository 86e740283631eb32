import type { DatabaseTransaction } from '../../storage/storage.ts'
import type { HeartbeatGroup } from './presence-store.ts'

/** A group of heartbeats as it lies in the journal. */
export interface JournaledGroup {
  readonly atMs: number
  /** As device-keys-blob.ts has them. */
  readonly deviceKeys: Uint8Array
}

/** How far the journal goes, in whatever way it tells. */
export type JournalEnd = ReadonlyMap<number, number>

/**
 * Where heartbeats are durable first: what each database has its own fastest way for. One of SQLite's has
 * a single writer; on PostgreSQL each server has its own, and hears of the others'.
 */
export interface HeartbeatJournal {
  /**
   * Writes a group, transitions and all, or nothing of it.
   * @returns when it counts as heard, and who of it is in the journal alone
   */
  readonly commit: (
    group: HeartbeatGroup,
  ) => Promise<{ readonly atMs: number; readonly journaled: readonly number[] }>
  /** All that is not folded yet, a page at a time, in the order of each writer's commits. */
  readonly read: (pageSize: number) => AsyncIterable<readonly JournaledGroup[]>
  /** As far as this server has heard; undefined when all of that is folded. */
  readonly end: () => Promise<JournalEnd | undefined>
  /** To be called when all up to there is in the rows of the devices. */
  readonly forget: (end: JournalEnd) => Promise<void>
  /**
   * Holds up further heartbeats of all servers until the transaction ends, and reads those that this one
   * has not heard of. What is committed later is heard at `judgedMs` or after.
   */
  readonly hearAll: (
    transaction: DatabaseTransaction,
    judgedMs: number,
  ) => Promise<readonly JournaledGroup[]>
  /** Tells other servers, with the transaction, who went offline. */
  readonly noteOffline: (
    transaction: DatabaseTransaction,
    deviceKeys: readonly number[],
    judgedMs: number,
  ) => Promise<void>
  /** When another server was last alive, which may be now; null where there is none. */
  readonly othersAliveMs: () => Promise<number | 'now' | null>
}
