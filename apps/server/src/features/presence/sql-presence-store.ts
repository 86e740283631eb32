import { sql, type Transaction } from 'kysely'
import * as v from 'valibot'
import { restBetweenSteps } from '../../steps.ts'
import { pagesAhead } from '../../storage/pages-ahead.ts'
import type { Schema } from '../../storage/schema.ts'
import { jsonColumn, rowList, valueList } from '../../storage/sql-lists.ts'
import type { Database } from '../../storage/storage.ts'
import { UnwrittenTimes, type RowTimes } from '../../unwritten-times.ts'
import { clampTimes } from './sql-future-rows.ts'
import { decodeDeviceKeys, type HeartbeatLog, type LoggedGroup } from './heartbeat-log.ts'
import type {
  PresenceEvent,
  PresencePage,
  PresenceRecord,
  PresenceStore,
} from './presence-store.ts'
import type { Outage } from './status.ts'

export interface SqlPresenceStoreOptions {
  readonly loadPageSize?: number
  /** Rows in one step of a fold: as many as a heartbeat may wait for. */
  readonly foldSize?: number
  /** Pause between two steps of a fold, which limits its share of the disk's time. */
  readonly rest?: () => Promise<void>
}

/** As far apart as two marks of a live server: a server that fails again and again makes few rows. */
const apartMs = 10_000
const nobody = 0
const Numbers = v.array(v.number())

/**
 * Heartbeats of devices that are online already go to a log, one row for a group. The devices' own rows
 * lie on a page each, so a commit of 64 of them among a million would write 64 pages, where the log
 * writes one or two. Later `fold` writes each device's last heartbeat to its row, in the order of the rows.
 * Transitions are written to the rows at once.
 * Groups travel as lists: one statement for any number of devices. Memory knows what the log holds,
 * including other servers' groups, which are recorded as they are read.
 */
export function sqlPresenceStore(
  db: Database,
  log: HeartbeatLog,
  { loadPageSize = 20_000, foldSize = 250, rest = restBetweenSteps }: SqlPresenceStoreOptions = {},
): PresenceStore & { readonly addGroup: (group: LoggedGroup) => void } {
  const logged = new UnwrittenTimes()
  const addGroup = ({ atMs, deviceKeys }: LoggedGroup) => {
    for (const key of decodeDeviceKeys(deviceKeys)) logged.record(key, atMs)
  }
  const write = (times: RowTimes) => writeHeartbeats(db, times)
  // An empty log reuses keys, so a second fold at the same time would delete new groups that have
  // the keys of the ones it read.
  let folding: Promise<void> | undefined
  const foldAll = async (signal?: AbortSignal) => {
    // Groups added from here on are left to the next fold.
    const end = await log.end()
    if (end === undefined) return
    if (!(await logged.flush({ write, size: foldSize, rest, signal }))) return
    await log.forget(end)
  }

  return {
    addGroup,

    async *load() {
      for await (const groups of log.read(loadPageSize)) groups.forEach(addGroup)
      const pages = pagesAhead(
        (after) => readPage(db, after, loadPageSize),
        (page) => page.deviceKeys.at(-1),
      )
      for await (const page of pages) {
        const lastSeenMs = page.deviceKeys.map((key, i) =>
          Math.max(page.lastSeenMs[i] ?? 0, logged.atMs(key) ?? 0),
        )
        yield { ...page, lastSeenMs }
      }
    },

    loadSchedules: () =>
      pagesAhead(
        (after) =>
          db
            .selectFrom('devices')
            .select((device) => [
              'key as deviceKey',
              device.ref('schedule').$notNull().as('schedule'),
            ])
            .where('schedule', 'is not', null)
            .where('key', '>', after)
            .orderBy('key')
            .limit(loadPageSize)
            .execute(),
        (page) => page.at(-1)?.deviceKey,
      ),

    read: async (deviceKeys) => {
      const rows = await db
        .selectFrom('presence')
        .selectAll()
        .where('device_key', 'in', valueList(db, 'integer', deviceKeys))
        .orderBy('device_key')
        .execute()
      return rows.map((row): PresenceRecord => ({
        deviceKey: row.device_key,
        lastSeenMs: Math.max(row.last_seen_ms, logged.atMs(row.device_key) ?? 0),
        isOnline: row.is_online === 1,
      }))
    },

    commitHeartbeats: async (group) => {
      const { atMs, logged: keys } = await log.commit(group)
      for (const key of keys) logged.record(key, atMs)
      return atMs
    },

    fold: (signal) => {
      folding ??= foldAll(signal).finally(() => {
        folding = undefined
      })
      return folding
    },

    recordOffline: async (flips, aliveMs) => {
      const flip = rowList(db, {
        device_key: ['integer', flips.map(({ deviceKey }) => deviceKey)],
        last_seen_ms: ['bigint', flips.map(({ lastSeenMs }) => lastSeenMs)],
        at_ms: ['bigint', flips.map(({ atMs }) => atMs)],
      })
      let unwritten: RowTimes = { keys: [], atMs: [] }
      const recorded = await db.transaction().execute(async (transaction) => {
        for (const group of await log.holdAndRead(transaction, aliveMs)) addGroup(group)
        unwritten = unwrittenOf(logged, flips)
        if (unwritten.keys.length > 0) await writeHeartbeats(transaction, unwritten)
        await sql`
          insert into presence_events (device_key, status, at_ms)
          select presence.device_key, 'offline', flip.at_ms
          from (${flip}) as flip
          join presence using (device_key, last_seen_ms)
          where presence.is_online = 1
          order by flip.position`.execute(transaction)
        const { rows } = await sql<{ device_key: number }>`
          update presence set is_online = 0
          from (${flip}) as flip
          where presence.device_key = flip.device_key
            and presence.last_seen_ms = flip.last_seen_ms
          returning presence.device_key`.execute(transaction)
        await writeAliveMark(transaction, aliveMs)
        const flipped = rows.map((row) => row.device_key)
        if (flipped.length > 0) await log.recordOffline(transaction, flipped, aliveMs)
        return flipped
      })
      logged.drop(unwritten)
      return recorded
    },

    events: async (deviceKey) => {
      return await db
        .selectFrom('presence_events')
        .select(['status', 'at_ms as atMs'])
        .where('device_key', '=', deviceKey)
        .orderBy('sequence')
        .execute()
    },

    lastEvent: async (deviceKey) => {
      const event = await db
        .selectFrom('presence_events')
        .select(['status', 'at_ms as atMs'])
        .where('device_key', '=', deviceKey)
        // In the order of the index on a device's events, so that one row is read instead of all.
        .orderBy('at_ms', 'desc')
        .orderBy('sequence', 'desc')
        .limit(1)
        .executeTakeFirst()
      return event ?? (await lastOfDays(db, deviceKey))
    },

    aliveMark: async () => {
      const row = await db.selectFrom('alive_mark').select('at_ms').executeTakeFirst()
      const othersAliveMs = await log.othersAliveMs()
      if (row === undefined || othersAliveMs === 'now') return othersAliveMs
      return Math.max(row.at_ms, othersAliveMs ?? 0)
    },

    markAlive: async (atMs) => {
      await writeAliveMark(db, atMs)
    },

    outages: () =>
      db
        .selectFrom('outages')
        .select(['from_ms as fromMs', 'to_ms as toMs'])
        .orderBy('from_ms')
        .execute(),

    recordOutage: async (outage) => {
      const { fromMs, toMs } = outage
      await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('outages')
          .values({ from_ms: fromMs, to_ms: toMs })
          .onConflict((conflict) => conflict.column('from_ms').doUpdateSet({ to_ms: toMs }))
          .execute()
        await recordUnobserved(transaction, outage, nobody)
      })
    },

    recordUnobserved: (outage, writer) =>
      db
        .transaction()
        .execute((transaction) => recordUnobserved(transaction, outage, writer ?? nobody)),

    forgetOutages: async (untilMs) => {
      await db.deleteFrom('outages').where('to_ms', '<=', untilMs).execute()
    },

    clampTimes: async (nowMs) => {
      await foldAll()
      await db.transaction().execute((transaction) => clampTimes(transaction, nowMs))
    },
  }
}

type Executor = Database | Transaction<Schema>

/** If a device's flips were deleted, its last stored day still holds the last one. */
async function lastOfDays(db: Database, deviceKey: number): Promise<PresenceEvent | undefined> {
  const day = await db
    .selectFrom('device_days')
    .select(['is_online', 'since_ms'])
    .where('device_key', '=', deviceKey)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (day === undefined || day.since_ms === null) return undefined
  return { status: day.is_online === 1 ? 'online' : 'offline', atMs: day.since_ms }
}

async function recordUnobserved(
  transaction: Transaction<Schema>,
  { fromMs, toMs }: Outage,
  writer: number,
): Promise<void> {
  const last = await transaction
    .selectFrom('unobserved')
    .selectAll()
    .where('writer', '=', writer)
    .where('from_ms', '<=', fromMs)
    .orderBy('from_ms', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last === undefined || last.to_ms + apartMs < fromMs) {
    await transaction
      .insertInto('unobserved')
      .values({ from_ms: fromMs, to_ms: toMs, writer })
      .execute()
  } else if (last.to_ms < toMs) {
    await transaction
      .updateTable('unobserved')
      .set({ to_ms: toMs })
      .where('from_ms', '=', last.from_ms)
      .where('writer', '=', writer)
      .execute()
  }
}

async function readPage(db: Database, after: number, limit: number): Promise<PresencePage> {
  const { rows } = await sql<{ keys: string; seen: string; online: string }>`
    select ${jsonColumn(db, 'device_key')} as keys, ${jsonColumn(db, 'last_seen_ms')} as seen,
      ${jsonColumn(db, 'is_online')} as online
    from (
      select * from presence where device_key > ${after} order by device_key limit ${limit}
    ) as page`.execute(db)
  const { keys = '[]', seen = '[]', online = '[]' } = rows[0] ?? {}
  return {
    deviceKeys: v.parse(Numbers, JSON.parse(keys)),
    lastSeenMs: v.parse(Numbers, JSON.parse(seen)),
    isOnline: v.parse(Numbers, JSON.parse(online)),
  }
}

async function writeHeartbeats(db: Executor, { keys, atMs }: RowTimes): Promise<void> {
  const seen = rowList(db, { device_key: ['integer', keys], at_ms: ['bigint', atMs] })
  await sql`
    update presence set last_seen_ms = seen.at_ms
    from (${seen}) as seen
    where presence.device_key = seen.device_key and presence.last_seen_ms < seen.at_ms`.execute(db)
}

function unwrittenOf(
  logged: UnwrittenTimes,
  flips: readonly { readonly deviceKey: number }[],
): RowTimes {
  const keys: number[] = []
  const atMs: number[] = []
  for (const { deviceKey } of flips) {
    const heartbeatMs = logged.atMs(deviceKey)
    if (heartbeatMs === undefined) continue
    keys.push(deviceKey)
    atMs.push(heartbeatMs)
  }
  return { keys, atMs }
}

async function writeAliveMark(db: Executor, atMs: number): Promise<void> {
  await db
    .insertInto('alive_mark')
    .values({ key: 1, at_ms: atMs })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ at_ms: atMs }).where('alive_mark.at_ms', '<', atMs),
    )
    .execute()
}
