import type { SqliteStorage } from '../../storage/sqlite-storage.ts'
import { encodeDeviceKeys } from './device-keys-blob.ts'
import type { PresenceStore } from './presence-store.ts'
import { sqlPresenceStore, type SqlPresenceStoreOptions } from './sql-presence-store.ts'

const insertGroup = 'insert into heartbeat_journal (at_ms, device_keys) values (?, ?)'
// The joins leave out devices that were deleted meanwhile: one of them must not fail the others.
const setOnline = `
  insert into presence (device_key, last_seen_ms, is_online)
  select devices.key, ?1, 1
  from json_each(?2) as came join devices on devices.key = came.value
  where true
  on conflict (device_key) do update
  set last_seen_ms = excluded.last_seen_ms, is_online = 1`
const recordOnline = `
  insert into presence_events (device_key, status, at_ms)
  select devices.key, 'online', ?1
  from json_each(?2) as came join devices on devices.key = came.value`

/** Groups go past Kysely, by which a group of devices that stay online makes one trip through shared memory. */
export function sqlitePresenceStore(
  { db, connection }: Pick<SqliteStorage, 'db' | 'connection'>,
  options?: SqlPresenceStoreOptions,
): PresenceStore {
  return sqlPresenceStore(
    db,
    async ({ stayed, cameOnline, atMs }) => {
      const bytes = encodeDeviceKeys(stayed)
      if (cameOnline.length === 0) {
        await connection.write({ sql: insertGroup, number: atMs, bytes })
        return
      }
      const parameters = [atMs, JSON.stringify(cameOnline)]
      await connection.transaction([
        ...(stayed.length > 0 ? [{ sql: insertGroup, parameters: [atMs, bytes] }] : []),
        { sql: setOnline, parameters },
        { sql: recordOnline, parameters },
      ])
    },
    options,
  )
}
