import { sql, type Transaction } from 'kysely'
import type { Schema } from '../../storage/schema.ts'
import type { Database } from '../../storage/storage.ts'
import type { PresenceRecord, PresenceStore } from './presence-store.ts'

/** Groups travel as one JSON parameter each: one statement for any number of devices. */
export function sqlitePresenceStore(db: Database, { loadPageSize = 20_000 } = {}): PresenceStore {
  return {
    async *load() {
      let after = 0
      for (;;) {
        const rows = await db
          .selectFrom('presence')
          .selectAll()
          .where('device_key', '>', after)
          .orderBy('device_key')
          .limit(loadPageSize)
          .execute()
        const last = rows.at(-1)
        if (last === undefined) return
        yield rows.map(toRecord)
        after = last.device_key
      }
    },

    read: async (deviceKeys) => {
      const keys = sql<number>`(select value from json_each(${JSON.stringify(deviceKeys)}))`
      const rows = await db
        .selectFrom('presence')
        .selectAll()
        .where('device_key', 'in', keys)
        .execute()
      return rows.map(toRecord)
    },

    commitHeartbeats: async ({ deviceKeys, atMs, cameOnline }) => {
      const keys = JSON.stringify([...deviceKeys])
      const write = sql`
        insert into presence (device_key, last_seen_ms, is_online)
        select devices.key, ${atMs}, 1
        from json_each(${keys}) as seen join devices on devices.key = seen.value
        where true
        on conflict (device_key) do update
        set last_seen_ms = excluded.last_seen_ms, is_online = 1`
      if (cameOnline.length === 0) {
        await write.execute(db)
        return
      }
      await db.transaction().execute(async (transaction) => {
        await write.execute(transaction)
        await sql`
          insert into presence_events (device_key, status, at_ms)
          select devices.key, 'online', ${atMs}
          from json_each(${JSON.stringify(cameOnline)}) as came
          join devices on devices.key = came.value`.execute(transaction)
      })
    },

    recordOffline: (flips, aliveMs) => {
      const list = JSON.stringify(
        flips.map(({ deviceKey, lastSeenMs, atMs }) => [deviceKey, lastSeenMs, atMs]),
      )
      const flip = sql`
        select value ->> 0 as device_key, value ->> 1 as last_seen_ms, value ->> 2 as at_ms
        from json_each(${list})`
      return db.transaction().execute(async (transaction) => {
        await sql`
          insert into presence_events (device_key, status, at_ms)
          select presence.device_key, 'offline', flip.at_ms
          from (${flip}) as flip
          join presence using (device_key, last_seen_ms)
          where presence.is_online = 1`.execute(transaction)
        const { rows } = await sql<{ device_key: number }>`
          update presence set is_online = 0
          from (${flip}) as flip
          where presence.device_key = flip.device_key
            and presence.last_seen_ms = flip.last_seen_ms
          returning presence.device_key`.execute(transaction)
        await writeAliveMark(transaction, aliveMs)
        return rows.map((row) => row.device_key)
      })
    },

    events: async (deviceKey) => {
      const rows = await db
        .selectFrom('presence_events')
        .select(['status', 'at_ms'])
        .where('device_key', '=', deviceKey)
        .orderBy('key')
        .execute()
      return rows.map((row) => ({ status: row.status, atMs: row.at_ms }))
    },

    aliveMark: async () => {
      const row = await db.selectFrom('alive_mark').select('at_ms').executeTakeFirst()
      return row?.at_ms ?? null
    },

    markAlive: async (atMs) => {
      await writeAliveMark(db, atMs)
    },

    outages: async () => {
      const rows = await db.selectFrom('outages').selectAll().orderBy('from_ms').execute()
      return rows.map((row) => ({ fromMs: row.from_ms, toMs: row.to_ms }))
    },

    recordOutage: async ({ fromMs, toMs }) => {
      await db
        .insertInto('outages')
        .values({ from_ms: fromMs, to_ms: toMs })
        .onConflict((conflict) => conflict.column('from_ms').doUpdateSet({ to_ms: toMs }))
        .execute()
    },

    forgetOutages: async () => {
      await db.deleteFrom('outages').execute()
    },
  }
}

async function writeAliveMark(db: Database | Transaction<Schema>, atMs: number): Promise<void> {
  await db
    .insertInto('alive_mark')
    .values({ key: 1, at_ms: atMs })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ at_ms: atMs }))
    .execute()
}

function toRecord(row: {
  device_key: number
  last_seen_ms: number
  is_online: number
}): PresenceRecord {
  return {
    deviceKey: row.device_key,
    lastSeenMs: row.last_seen_ms,
    isOnline: row.is_online === 1,
  }
}
