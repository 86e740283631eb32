import { sql } from 'kysely'
import { databaseNow, silentAfterMs } from '../../storage/postgres-instance.ts'
import type { PostgresStorage } from '../../storage/postgres-storage.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import { encodeDeviceKeys, type HeartbeatLog, type LoggedGroup } from './heartbeat-log.ts'
import { sqlPresenceStore, type SqlPresenceStoreOptions } from './sql-presence-store.ts'

/** How long one server that does not finish may hold up all heartbeats. */
const holdUpMs = 300

export interface PostgresPresenceOptions extends SqlPresenceStoreOptions {
  /** The term of the leading server. Undefined for a server that may judge devices without leading. */
  readonly term?: () => number | undefined
}

export function postgresPresenceStore(
  storage: Pick<PostgresStorage, 'db' | 'instance'>,
  options: PostgresPresenceOptions = {},
) {
  const readUpTo = new Map<number, number>()
  const store = sqlPresenceStore(
    storage.db,
    postgresHeartbeatLog(storage, readUpTo, options.term),
    options,
  )
  return {
    ...store,
    /** Call it with each group of another server, in the order of its commits. */
    receiveGroup: ({
      writer,
      number,
      atMs,
      deviceKeys,
    }: LoggedGroup & { readonly writer: number; readonly number: number }): void => {
      readUpTo.set(writer, number)
      store.addGroup({ atMs, deviceKeys })
    },
  }
}

interface UnfoldedRow {
  readonly writer: number
  readonly number: number
  readonly at_ms: number
  readonly device_keys: Uint8Array
}

type Committed = Pick<UnfoldedRow, 'number' | 'at_ms'>

/** @param readUpTo the last group of each server that this server has read */
function postgresHeartbeatLog(
  { db, instance }: Pick<PostgresStorage, 'db' | 'instance'>,
  readUpTo: Map<number, number>,
  term: () => number | undefined = () => undefined,
): HeartbeatLog {
  const { writer } = instance
  const toGroup = ({ writer: from, number, at_ms: atMs, device_keys: deviceKeys }: UnfoldedRow) => {
    readUpTo.set(from, Math.max(number, readUpTo.get(from) ?? 0))
    return { atMs, deviceKeys } satisfies LoggedGroup
  }

  return {
    // One statement, and so one trip and one commit, with or without transitions.
    commit: async ({ stayed, cameOnline, atMs, isUrgent = true }) => {
      const all = [...stayed, ...cameOnline]
      const bytes = encodeDeviceKeys(all)
      const statement =
        cameOnline.length === 0
          ? sql<Committed>`
              with ${nextNumber(writer, atMs)}
              ${insertGroup(writer, bytes, [])}`
          : sql<Committed>`
              with ${isLeading(writer, term())} ${nextNumber(writer, atMs, true)},
              ${transitions(cameOnline)}
              ${insertGroup(writer, bytes, cameOnline)}`
      const { rows } = isUrgent
        ? await statement.execute(db)
        : await instance.writeQuietly(statement.compile(db))
      const [committed] = rows
      if (committed === undefined) {
        if (term() === undefined || cameOnline.length === 0) instance.giveUp()
        throw new StorageUnavailable('another server judges devices by now')
      }
      readUpTo.set(writer, committed.number)
      return { atMs: committed.at_ms, logged: all }
    },

    async *read(pageSize) {
      const { rows: writers } = await sql<{ writer: number; folded: number }>`
        select writer, folded from writers order by writer`.execute(db)
      for (const { writer: from, folded } of writers) {
        let after = folded
        for (;;) {
          const { rows } = await sql<UnfoldedRow>`
            select writer, number, at_ms, device_keys from changes
            where writer = ${from} and number > ${after} and topic = 'heartbeats'
            order by number limit ${pageSize}`.execute(db)
          if (rows.length === 0) break
          after = rows.at(-1)?.number ?? after
          yield rows.map(toGroup)
        }
      }
    },

    end: async () => {
      const { rows } = await sql<{ writer: number; folded: number }>`
        select writer, folded from writers where number > folded order by writer`.execute(db)
      const ends = rows
        .map(
          ({ writer: from, folded }) => [from, Math.max(folded, readUpTo.get(from) ?? 0)] as const,
        )
        .filter(([from, end]) => rows.some((row) => row.writer === from && end > row.folded))
      return ends.length === 0 ? undefined : new Map(ends)
    },

    forget: async (end) => {
      await sql`
        update writers set folded = greatest(folded, ended.number)
        from unnest(${[...end.keys()]}::integer[], ${[...end.values()]}::bigint[])
          as ended (writer, number)
        where writers.writer = ended.writer`.execute(db)
    },

    holdAndRead: async (transaction, judgedMs) => {
      await sql`set local lock_timeout = ${sql.lit(holdUpMs)}`.execute(transaction)
      // Everyone who commits heartbeats holds its own row, so from here on all of them wait.
      await sql`update writers set judged_ms = greatest(judged_ms, ${judgedMs})`.execute(
        transaction,
      )
      const { rows } = await sql<UnfoldedRow>`
        select changes.writer, number, at_ms, device_keys
        from changes left join unnest(${[...readUpTo.keys()]}::integer[], ${[...readUpTo.values()]}::bigint[])
          as read_up_to (writer, up_to) using (writer)
        join (select writer, folded from writers) as known using (writer)
        where topic = 'heartbeats' and number > coalesce(up_to, folded)
        order by writer, number`.execute(transaction)
      return rows.map(({ at_ms: atMs, device_keys: deviceKeys }) => ({ atMs, deviceKeys }))
    },

    recordOffline: async (transaction, deviceKeys, judgedMs) => {
      await sql`
        with ${isLeading(writer, term())} ${nextNumber(writer, judgedMs, true)}
        insert into changes (writer, number, at_ms, topic, keys)
        select ${writer}, number, ${judgedMs}, 'offline', ${deviceKeys}::integer[]
        from mine returning number`
        .execute(transaction)
        .then(({ rows }) => {
          if (rows.length > 0) return
          throw new StorageUnavailable('another server judges devices by now')
        })
    },

    othersAliveMs: async () => {
      const { rows } = await sql<{ alive_ms: number | null; is_alive: boolean | null }>`
        select max(alive_ms) as alive_ms,
          bool_or(is_running and alive_ms > ${sql.raw(databaseNow)} - ${sql.lit(silentAfterMs)}) as is_alive
        from writers where writer <> ${writer}`.execute(db)
      const [others] = rows
      // A server that is alive reads every heartbeat, so there is no gap.
      return others?.is_alive === true ? 'now' : (others?.alive_ms ?? null)
    },
  }
}

/** Locked until the commit. Nobody else leads before that, so flips are recorded in one order. */
function isLeading(writer: number, term: number | undefined) {
  if (term === undefined) return sql`term_held as (select 1),`
  return sql`
    term_held as (
      select 1 from leadership where writer = ${writer} and term = ${term} for update
    ),`
}

/** The next number of this server's log, and the time from which a group with that number counts. */
function nextNumber(writer: number, atMs: number, mustLead = false) {
  return sql`
    mine as (
      update writers set number = number + 1
      where writer = ${writer} ${mustLead ? sql`and exists (select from term_held)` : sql``}
      returning number, greatest(${atMs}::bigint, judged_ms) as at_ms
    )`
}

function insertGroup(writer: number, deviceKeys: Uint8Array, cameOnline: readonly number[]) {
  return sql`
    insert into changes (writer, number, at_ms, topic, device_keys, keys)
    select ${writer}, number, at_ms, 'heartbeats', ${deviceKeys}, nullif(${cameOnline}::integer[], '{}')
    from mine
    returning number, at_ms`
}

/** The join leaves out devices that were deleted meanwhile. One of them must not fail the others. */
function transitions(deviceKeys: readonly number[]) {
  return sql`
    came as materialized (
      select key, position
      from unnest(${deviceKeys}::integer[]) with ordinality as reported (key, position)
      join devices using (key)
      order by key
      for key share of devices
    ),
    seen as (
      insert into presence (device_key, last_seen_ms, is_online)
      select key, at_ms, 1 from came, mine order by key
      on conflict (device_key) do update
      set last_seen_ms = excluded.last_seen_ms, is_online = 1
      where presence.is_online = 0
      returning device_key
    ),
    events as (
      insert into presence_events (device_key, status, at_ms)
      select key, 'online', at_ms from came join seen on device_key = key, mine order by position
    )`
}
