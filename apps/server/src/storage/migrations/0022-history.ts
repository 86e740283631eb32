import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../database-kind.ts'

/** The status of devices by day, and when no heartbeat could be received. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('device_days')
    .addColumn('device_key', 'integer', (column) =>
      column.notNull().references('devices.key').onDelete('cascade'),
    )
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('online_s', 'integer', (column) => column.notNull())
    .addColumn('offline_s', 'integer', (column) => column.notNull())
    .addColumn('unobserved_s', 'integer', (column) => column.notNull())
    .addColumn('flips', 'integer', (column) => column.notNull())
    .addColumn('is_online', 'integer', (column) => column.notNull())
    .addColumn('since_ms', 'bigint')
    .addPrimaryKeyConstraint('device_days_pk', ['device_key', 'day'])
    // Rows are stored in key order. Otherwise the key would be stored twice.
    .$call((table) => (isPostgres(db) ? table : table.modifyEnd(sql`without rowid`)))
    .execute()
  // Finds old rows.
  await db.schema.createIndex('device_days_by_day').on('device_days').column('day').execute()

  await db.schema
    .createTable('unobserved')
    .addColumn('from_ms', 'bigint', (column) => column.notNull())
    .addColumn('to_ms', 'bigint', (column) => column.notNull())
    .addColumn('writer', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('unobserved_pk', ['from_ms', 'writer'])
    .execute()
  await sql`
    insert into unobserved (from_ms, to_ms, writer)
    select from_ms, to_ms, 0 from outages`.execute(db)
  // Devices whose last flip is no longer stored have had their status for as long as flips are kept.
  await sql`
    insert into device_days
      (device_key, day, online_s, offline_s, unobserved_s, flips, is_online, since_ms)
    select device_key, at_ms / 86400000 - 91, 86400 * is_online, 86400 * (1 - is_online), 0, 0,
      is_online, null
    from presence cross join alive_mark
    where not exists (
      select 1 from presence_events where presence_events.device_key = presence.device_key
    )`.execute(db)
}
