import type { DatabaseTransaction } from '../../storage/storage.ts'
import type { HeartbeatGroup } from './presence-store.ts'

export interface LoggedGroup {
  readonly atMs: number
  /** As `encodeDeviceKeys` writes them. */
  readonly deviceKeys: Uint8Array
}

export type LogEnd = ReadonlyMap<number, number>

/** Where heartbeats first become durable. On PostgreSQL each server writes its log and reads the others'. */
export interface HeartbeatLog {
  /** @returns the time from which the group counts, and the devices of it that only the log knows */
  readonly commit: (
    group: HeartbeatGroup,
  ) => Promise<{ readonly atMs: number; readonly logged: readonly number[] }>
  /** Everything that is not folded yet, a page at a time, in the order of each writer's commits. */
  readonly read: (pageSize: number) => AsyncIterable<readonly LoggedGroup[]>
  /** As far as this server has read; undefined when all of that is folded. */
  readonly end: () => Promise<LogEnd | undefined>
  readonly forget: (end: LogEnd) => Promise<void>
  /** Holds up heartbeats everywhere until the transaction ends, and reads what this server has not read. */
  readonly holdAndRead: (
    transaction: DatabaseTransaction,
    judgedMs: number,
  ) => Promise<readonly LoggedGroup[]>
  readonly recordOffline: (
    transaction: DatabaseTransaction,
    deviceKeys: readonly number[],
    judgedMs: number,
  ) => Promise<void>
  /** When another server was last alive, possibly now; null if there is no other. */
  readonly othersAliveMs: () => Promise<number | 'now' | null>
}

const bytesPerKey = 4

/** Device keys as bytes: 32-bit integers, little-endian. */
export function encodeDeviceKeys(deviceKeys: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(deviceKeys.length * bytesPerKey)
  const view = new DataView(bytes.buffer)
  for (const [i, key] of deviceKeys.entries()) view.setInt32(i * bytesPerKey, key, true)
  return bytes
}

export function* decodeDeviceKeys(bytes: Uint8Array): Generator<number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < bytes.byteLength; at += bytesPerKey) yield view.getInt32(at, true)
}
