import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('presence')
    .addColumn('device_key', 'integer', (column) =>
      column.primaryKey().references('devices.key').onDelete('cascade'),
    )
    .addColumn('last_seen_ms', 'bigint', (column) => column.notNull())
    .addColumn('is_online', 'integer', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('presence_events')
    .addColumn('key', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('device_key', 'integer', (column) =>
      column.notNull().references('devices.key').onDelete('cascade'),
    )
    .addColumn('status', 'text', (column) =>
      column.notNull().check(sql`status in ('online', 'offline')`),
    )
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('presence_events_by_device')
    .on('presence_events')
    .columns(['device_key', 'at_ms'])
    .execute()

  await db.schema
    .createTable('outages')
    .addColumn('from_ms', 'bigint', (column) => column.primaryKey())
    .addColumn('to_ms', 'bigint', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('alive_mark')
    .addColumn('key', 'integer', (column) => column.primaryKey().check(sql`key = 1`))
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .execute()
}
