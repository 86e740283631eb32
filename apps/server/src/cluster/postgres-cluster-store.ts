import { dayMs } from '../history/time-spans.ts'
import { sql } from 'kysely'
import { databaseNow, silentAfterMs } from '../storage/postgres-instance.ts'
import type { PostgresStorage } from '../storage/postgres-storage.ts'
import type { Change } from './cluster.ts'
import { changesPageSize, type ClusterStore, type WriterState } from './cluster-store.ts'

/** A server that is gone for longer than this has to start anew. */
const keptMs = 600_000
const feedMessagesKept = 20_000

const now = sql.raw(databaseNow)

export function postgresClusterStore({
  db,
  instance: { read, writer },
}: Pick<PostgresStorage, 'db' | 'instance'>): ClusterStore {
  return {
    readState: async () => {
      const { rows } = await read(
        sql<WriterState & { feed_number: number; now_ms: number }>`
          select writers.*, feed_number, ${now} as now_ms
          from writers, leadership order by writer`,
      )
      const [first] = rows
      return { writers: rows, feedNumber: first?.feed_number ?? 0, nowMs: first?.now_ms ?? 0 }
    },

    readChanges: async (cursors) => {
      const { rows } = await read(sql<Change>`
        select changes.writer, number, at_ms as "atMs", topic,
          coalesce(device_keys, '') as "deviceKeys", coalesce(keys, '{}') as keys, details
        from unnest(${[...cursors.keys()]}::integer[], ${[...cursors.values()]}::bigint[])
          as known (writer, up_to)
        join changes on changes.writer = known.writer and number > up_to
        order by number, writer limit ${changesPageSize}`)
      return rows
    },

    renew: (leaseMs) =>
      db.transaction().execute(async (transaction) => {
        const marks = await sql`
          update writers set alive_ms = ${now},
            silent_from_ms = case
              when ${now} - alive_ms <= ${sql.lit(silentAfterMs)} then silent_from_ms
              -- Those of one day count as one: a window may begin in the first of them.
              when silent_to_ms > alive_ms - ${sql.lit(dayMs)} then silent_from_ms
              else alive_ms end,
            silent_to_ms = case when ${now} - alive_ms > ${sql.lit(silentAfterMs)}
              then ${now} else silent_to_ms end
          where writer = ${writer} returning writer`.execute(transaction)
        const { rows } = await sql<{ term: number; cursors: Record<string, number> }>`
          update leadership set writer = ${writer}, expires_ms = ${now} + ${sql.lit(leaseMs)},
            term = case when writer = ${writer} and expires_ms > ${now} then term else term + 1 end
          where writer = ${writer} or writer is null or expires_ms < ${now}
          returning term, cursors`.execute(transaction)
        const [held] = rows
        const cursors = Object.entries(held?.cursors ?? {})
        return {
          isRegistered: marks.rows.length > 0,
          lease: held && {
            term: held.term,
            cursors: new Map(cursors.map(([from, number]) => [Number(from), number])),
          },
        }
      }),

    resign: async (term) => {
      await sql`
        update leadership set expires_ms = 0 where writer = ${writer} and term = ${term}`.execute(
        db,
      )
    },

    beginEpoch: async () => {
      await sql`update leadership set feed_epoch = left(md5(random()::text), 8)`.execute(db)
    },

    prune: async () => {
      await sql`
        delete from changes using writers
        where writers.writer = changes.writer and at_ms < ${now} - ${sql.lit(keptMs)}
          and (topic <> 'heartbeats' or changes.number <= folded)`.execute(db)
      await sql`
        delete from feed_messages
        where number <= (select feed_number from leadership) - ${sql.lit(feedMessagesKept)}`.execute(
        db,
      )
      await sql`
        delete from writers
        where alive_ms < ${now} - ${sql.lit(dayMs)}
          and not exists (select from changes where changes.writer = writers.writer)`.execute(db)
    },
  }
}
