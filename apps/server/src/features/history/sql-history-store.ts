import { sql, type RawBuilder } from 'kysely'
import * as v from 'valibot'
import { dayMs, dayStart } from '../../history/time-spans.ts'
import { countRows } from '../../storage/count-rows.ts'
import { devicesOfUser } from '../../storage/rows-of-user.ts'
import { jsonColumn, rowList } from '../../storage/sql-lists.ts'
import type { Database } from '../../storage/storage.ts'
import type { AskedTime, Flip, HistoryStore, StoredDay, StoredHistory } from './history-store.ts'

const Numbers = v.array(v.number())
const DayColumns = v.object({
  deviceKeys: Numbers,
  days: Numbers,
  onlineS: Numbers,
  offlineS: Numbers,
  unobservedS: Numbers,
  flips: Numbers,
  isOnline: Numbers,
  sinceMs: v.array(v.nullable(v.number())),
})
const FlipColumns = v.object({ deviceKeys: Numbers, isOnline: Numbers, atMs: Numbers })
/** The writer of an outage of all servers. If only some are down, their devices report to the others. */
const allServers = 0
/** PostgreSQL's integers are too short for times. */
const msOfDay = sql`cast(${sql.lit(dayMs)} as bigint)`

/** @param longReads a connection for reads of any length, so that no write waits for them */
export function sqlHistoryStore(
  db: Database,
  { longReads = db }: { readonly longReads?: Database } = {},
): HistoryStore {
  return {
    read: async (deviceKey, asked) => {
      const one = sql`select cast(${deviceKey} as integer) as device_key`
      const found = await readStored(longReads, one, asked)
      return found.get(deviceKey) ?? { days: [], flips: [] }
    },

    readOwn: async (userKey, asked) => {
      const own = sql`select key as device_key from devices where user_key = ${userKey}`
      const [devices, found] = await Promise.all([
        devicesOfUser(longReads, userKey),
        readStored(longReads, own, asked),
      ])
      return devices.map(({ key, id }) => ({
        deviceKey: key,
        id,
        stored: found.get(key) ?? { days: [], flips: [] },
      }))
    },

    newestFlips: (deviceKey, { sinceMs, beforeMs, beforeStatus, limit }) =>
      longReads
        .selectFrom('presence_events')
        .select(['status', 'at_ms as atMs'])
        .where('device_key', '=', deviceKey)
        .where('at_ms', '>=', sinceMs)
        .where('at_ms', '<=', beforeMs)
        .where((flip) =>
          flip.or([flip('at_ms', '<', beforeMs), sql<boolean>`status < ${beforeStatus}`]),
        )
        .orderBy('at_ms', 'desc')
        .orderBy('status', 'desc')
        .limit(limit)
        .execute(),

    unobserved: async (sinceMs) => {
      const rows = await longReads
        .selectFrom('unobserved')
        .select(['from_ms as fromMs', 'to_ms as toMs'])
        .where('writer', '=', allServers)
        .where('to_ms', '>', sinceMs)
        .orderBy('from_ms')
        .execute()
      const apart: { readonly fromMs: number; toMs: number }[] = []
      for (const row of rows) {
        const last = apart.at(-1)
        if (last && row.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, row.toMs)
        else apart.push(row)
      }
      return apart
    },

    readOpenDays: async (days) => {
      const asked = rowList(longReads, {
        device_key: ['integer', days.map(({ deviceKey }) => deviceKey)],
        day: ['integer', days.map(({ startMs }) => startMs / dayMs)],
      })
      const flips = sql`
        select events.device_key, events.status, events.at_ms, events.sequence
        from (${asked}) as asked join presence_events as events
          on events.device_key = asked.device_key
          and events.at_ms >= asked.day * ${msOfDay}
          and events.at_ms < (asked.day + 1) * ${msOfDay}`
      const [found, before] = await Promise.all([
        sql<{ flips: string }>`select ${flipColumns(longReads, flips)} as flips`.execute(longReads),
        sql<{ device_key: number; day: number; is_online: number }>`
          select asked.device_key, asked.day, earlier.is_online
          from (${asked}) as asked join device_days as earlier
            on earlier.device_key = asked.device_key and earlier.day = (
              select max(day) from device_days
              where device_days.device_key = asked.device_key and device_days.day < asked.day)`.execute(
          longReads,
        ),
      ])
      const befores = new Map(
        before.rows.map((row) => [dayKey(row.device_key, row.day), statusOf(row.is_online)]),
      )
      const flipsOf = new Map<string, [Flip, ...Flip[]]>()
      eachFlip(found.rows[0]?.flips, (deviceKey, flip) => {
        const key = dayKey(deviceKey, dayStart(flip.atMs) / dayMs)
        const list = flipsOf.get(key)
        if (list === undefined) flipsOf.set(key, [flip])
        else list.push(flip)
      })
      return days.flatMap(({ deviceKey, startMs }) => {
        const key = dayKey(deviceKey, startMs / dayMs)
        const own = flipsOf.get(key)
        if (own === undefined) return []
        return [{ deviceKey, startMs, before: befores.get(key) ?? null, flips: own }]
      })
    },

    writeDays: async (days) => {
      const column = (value: (day: (typeof days)[number]) => number | null) => days.map(value)
      const rows = rowList(db, {
        device_key: ['integer', column(({ deviceKey }) => deviceKey)],
        day: ['integer', column(({ startMs }) => startMs / dayMs)],
        online_s: ['integer', column(({ onlineS }) => onlineS)],
        offline_s: ['integer', column(({ offlineS }) => offlineS)],
        unobserved_s: ['integer', column(({ unobservedS }) => unobservedS)],
        flips: ['integer', column(({ flips }) => flips)],
        is_online: ['integer', column(({ status }) => (status === 'online' ? 1 : 0))],
        since_ms: ['bigint', column(({ sinceMs }) => sinceMs)],
      })
      await sql`
        insert into device_days (
          device_key, day, online_s, offline_s, unobserved_s, flips, is_online, since_ms
        )
        select days.device_key, days.day, days.online_s, days.offline_s, days.unobserved_s,
          days.flips, days.is_online, days.since_ms
        from (${rows}) as days join devices on devices.key = days.device_key
        where true
        order by days.device_key, days.day
        on conflict (device_key, day) do update set
          online_s = excluded.online_s, offline_s = excluded.offline_s,
          unobserved_s = excluded.unobserved_s, flips = excluded.flips,
          is_online = excluded.is_online, since_ms = excluded.since_ms`.execute(db)
    },

    deleteOld: async (untilMs, limit) => {
      await db.deleteFrom('unobserved').where('to_ms', '<', untilMs).execute()
      const until = dayStart(untilMs) / dayMs
      // This passes over the rows that stay, perhaps one for each device, and a write would wait for it.
      const { rows } = await sql<{ device_key: number; day: number }>`
        select device_key, day from device_days as old
        where day < ${until} and exists (
          select 1 from device_days as later
          where later.device_key = old.device_key and later.day > old.day and later.day < ${until})
        order by day desc limit ${limit}`.execute(longReads)
      const found = rowList(db, {
        device_key: ['integer', rows.map((row) => row.device_key)],
        day: ['integer', rows.map(({ day }) => day)],
      })
      await sql`
        delete from device_days
        where (device_key, day) in (select device_key, day from (${found}) as found)`.execute(db)
      return rows.length
    },

    countOf: (userKey) =>
      countRows(
        db
          .selectFrom('device_days')
          .innerJoin('devices', 'devices.key', 'device_key')
          .where('user_key', '=', userKey),
      ),

    readOf: async function* (userKey) {
      for (const { key, id } of await devicesOfUser(db, userKey)) {
        const rows = await db
          .selectFrom('device_days')
          .select(['day', 'online_s as onlineS', 'offline_s as offlineS', 'flips'])
          .select(['unobserved_s as unobservedS', 'is_online', 'since_ms as sinceMs'])
          .where('device_key', '=', key)
          .orderBy('day')
          .execute()
        const days = rows.map(({ day, is_online, ...row }) => {
          return Object.assign(row, { startMs: day * dayMs, status: statusOf(is_online) })
        })
        if (days.length > 0) yield { deviceId: id, days }
      }
    },
  }
}

// Reads both parts in one statement, so that a day that is closed meanwhile is in one of them. Rows come as one
// text for each column, which costs a twentieth of row objects on their way.
async function readStored(
  db: Database,
  deviceKeys: RawBuilder<unknown>,
  { sinceMs, detailedMs }: AskedTime,
): Promise<ReadonlyMap<number, StoredHistory>> {
  const first = Math.floor(sinceMs / dayMs)
  const days = sql`
    select days.* from asked join device_days as days
      on days.device_key = asked.device_key and days.day >= coalesce((
        select max(day) from device_days as earlier
        where earlier.device_key = asked.device_key and earlier.day < ${first}), ${first})`
  const detailed = new Set(detailedMs.map((atMs) => Math.floor(atMs / dayMs)))
  // The row of a device's first day does not tell when it first reported. Passing a list takes
  // PostgreSQL 0.5 ms to plan; a subquery for each device takes 0.8 ms.
  const details =
    detailed.size === 0
      ? sql``
      : sql`
        union all
        select events.device_key, events.status, events.at_ms, events.sequence
        from (
          select device_key, day
          from asked cross join (${rowList(db, { day: ['integer', [...detailed]] })}) as listed
          union
          select device_key, (
            select min(day) from device_days where device_days.device_key = asked.device_key)
          from asked
        ) as detail
        join device_days as days
          on days.device_key = detail.device_key and days.day = detail.day and days.day >= ${first}
        join presence_events as events on events.device_key = days.device_key
          and events.at_ms >= days.day * ${msOfDay} and events.at_ms < (days.day + 1) * ${msOfDay}`
  const flips = sql`
    select events.device_key, events.status, events.at_ms, events.sequence
    from asked join presence_events as events
      on events.device_key = asked.device_key and events.at_ms >= coalesce((
        select max(day) + 1 from device_days where device_days.device_key = asked.device_key
      ) * ${msOfDay}, 0)
    ${details}`
  const dayColumns = jsonColumns(db, sql`${days} order by device_key, day`, {
    deviceKeys: 'device_key',
    days: 'day',
    onlineS: 'online_s',
    offlineS: 'offline_s',
    unobservedS: 'unobserved_s',
    flips: 'flips',
    isOnline: 'is_online',
    sinceMs: 'since_ms',
  })
  const { rows } = await sql<{ days: string; flips: string }>`
    with asked as (${deviceKeys})
    select ${dayColumns} as days, ${flipColumns(db, flips)} as flips`.execute(db)
  const found = new Map<number, { days: StoredDay[]; flips: Flip[] }>()
  const of = (deviceKey: number) => {
    const stored = found.get(deviceKey) ?? { days: [], flips: [] }
    found.set(deviceKey, stored)
    return stored
  }
  const columns = v.parse(DayColumns, JSON.parse(rows[0]?.days ?? '{}'))
  for (const [at, deviceKey] of columns.deviceKeys.entries()) {
    of(deviceKey).days.push({
      startMs: (columns.days[at] ?? 0) * dayMs,
      onlineS: columns.onlineS[at] ?? 0,
      offlineS: columns.offlineS[at] ?? 0,
      unobservedS: columns.unobservedS[at] ?? 0,
      flips: columns.flips[at] ?? 0,
      status: statusOf(columns.isOnline[at]),
      sinceMs: columns.sinceMs[at] ?? null,
    })
  }
  eachFlip(rows[0]?.flips, (deviceKey, flip) => of(deviceKey).flips.push(flip))
  return found
}

function dayKey(deviceKey: number, day: number): string {
  return `${deviceKey}.${day}`
}

function eachFlip(text: string | undefined, act: (deviceKey: number, flip: Flip) => void): void {
  const { deviceKeys, isOnline, atMs } = v.parse(FlipColumns, JSON.parse(text ?? '{}'))
  for (const [at, deviceKey] of deviceKeys.entries()) {
    act(deviceKey, { status: statusOf(isOnline[at]), atMs: atMs[at] ?? 0 })
  }
}

function statusOf(isOnline: number | undefined): 'online' | 'offline' {
  return isOnline === 1 ? 'online' : 'offline'
}

function flipColumns(db: Database, flips: RawBuilder<unknown>): RawBuilder<string> {
  const ordered = sql`
    select device_key, case status when 'online' then 1 else 0 end as is_online, at_ms
    from (${flips}) as found order by device_key, at_ms, sequence`
  return jsonColumns(db, ordered, {
    deviceKeys: 'device_key',
    isOnline: 'is_online',
    atMs: 'at_ms',
  })
}

function jsonColumns(
  db: Database,
  rows: RawBuilder<unknown>,
  columns: Readonly<Record<string, string>>,
): RawBuilder<string> {
  const parts = Object.entries(columns).map(
    ([name, column]) => sql`${sql.lit(`"${name}":`)} || ${jsonColumn(db, column)}`,
  )
  return sql`(select '{' || ${sql.join(parts, sql` || ',' || `)} || '}' from (${rows}) as listed)`
}
