import type { DatabaseTransaction } from '../../storage/storage.ts'
import type { HeartbeatGroup } from './presence-store.ts'

/** A group of heartbeats as the log holds it. */
export interface LoggedGroup {
  readonly atMs: number
  /** Encoded as in device-keys-blob.ts. */
  readonly deviceKeys: Uint8Array
}

/** How far the log goes. Each log has its own form for this. */
export type LogEnd = ReadonlyMap<number, number>

/**
 * Where heartbeats first become durable, in the fastest way that each database has. SQLite's log has
 * one writer. On PostgreSQL each server writes its own log and reads the others'.
 */
export interface HeartbeatLog {
  /**
   * Writes a group with its transitions, or nothing.
   * @returns the time from which the group counts as heard, and the devices of it that only the log
   * knows
   */
  readonly commit: (
    group: HeartbeatGroup,
  ) => Promise<{ readonly atMs: number; readonly logged: readonly number[] }>
  /** Everything that is not folded yet, a page at a time, in the order of each writer's commits. */
  readonly read: (pageSize: number) => AsyncIterable<readonly LoggedGroup[]>
  /** As far as this server has read; undefined when all of that is folded. */
  readonly end: () => Promise<LogEnd | undefined>
  /** Call it when everything up to there is in the devices' rows. */
  readonly forget: (end: LogEnd) => Promise<void>
  /**
   * Holds up heartbeats on all servers until the transaction ends, and reads those that this server has not
   * read yet. Heartbeats that are committed later are heard at `judgedMs` or after.
   */
  readonly hearAll: (
    transaction: DatabaseTransaction,
    judgedMs: number,
  ) => Promise<readonly LoggedGroup[]>
  /** Records in the same transaction who went offline, for the other servers. */
  readonly noteOffline: (
    transaction: DatabaseTransaction,
    deviceKeys: readonly number[],
    judgedMs: number,
  ) => Promise<void>
  /** When another server was last alive, possibly now; null if there is no other. */
  readonly othersAliveMs: () => Promise<number | 'now' | null>
}
