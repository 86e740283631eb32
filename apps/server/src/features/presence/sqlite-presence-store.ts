import type { SqliteStorage } from '../../storage/sqlite-storage.ts'
import { pagesAhead } from '../../storage/pages-ahead.ts'
import { encodeDeviceKeys, type HeartbeatLog } from './heartbeat-log.ts'
import type { PresenceStore } from './presence-store.ts'
import { sqlPresenceStore, type SqlPresenceStoreOptions } from './sql-presence-store.ts'

const insertGroup = 'insert into heartbeat_log (at_ms, device_keys) values (?, ?)'
// The joins leave out devices that were deleted meanwhile. One of them must not fail the others.
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

const self = 1

export function sqlitePresenceStore(
  storage: Pick<SqliteStorage, 'db' | 'connection'>,
  options?: SqlPresenceStoreOptions,
): PresenceStore {
  return sqlPresenceStore(storage.db, sqliteHeartbeatLog(storage), options)
}

/** Groups bypass Kysely: devices that stay online take one trip through shared memory. */
function sqliteHeartbeatLog({
  db,
  connection,
}: Pick<SqliteStorage, 'db' | 'connection'>): HeartbeatLog {
  return {
    commit: async ({ stayed, cameOnline, atMs }) => {
      const bytes = encodeDeviceKeys(stayed)
      if (cameOnline.length === 0) {
        await connection.write({ sql: insertGroup, number: atMs, bytes })
        return { atMs, logged: stayed }
      }
      const parameters = [atMs, JSON.stringify(cameOnline)]
      await connection.transaction([
        ...(stayed.length > 0 ? [{ sql: insertGroup, parameters: [atMs, bytes] }] : []),
        { sql: setOnline, parameters },
        { sql: recordOnline, parameters },
      ])
      return { atMs, logged: stayed }
    },

    read: async function* (pageSize) {
      const pages = pagesAhead(
        (after) =>
          db
            .selectFrom('heartbeat_log')
            .select(['key', 'at_ms as atMs', 'device_keys as deviceKeys'])
            .where('key', '>', after)
            .orderBy('key')
            .limit(pageSize)
            .execute(),
        (page) => page.at(-1)?.key,
      )
      for await (const page of pages) yield page
    },

    end: async () => {
      const { last } = await db
        .selectFrom('heartbeat_log')
        .select((log) => log.fn.max('key').as('last'))
        .executeTakeFirstOrThrow()
      return last === null ? undefined : new Map([[self, last]])
    },

    forget: async (end) => {
      await db
        .deleteFrom('heartbeat_log')
        .where('key', '<=', end.get(self) ?? 0)
        .execute()
    },

    holdAndRead: async () => [],
    recordOffline: async () => undefined,
    othersAliveMs: async () => null,
  }
}
