import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../database-kind.ts'
import { generatedKey, leaveRoomForUpdates, longInteger } from '../column-types.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('presence')
    .addColumn('device_key', 'integer', (column) =>
      column.primaryKey().references('devices.key').onDelete('cascade'),
    )
    .addColumn('last_seen_ms', 'bigint', (column) => column.notNull())
    .addColumn('is_online', 'integer', (column) => column.notNull())
    .execute()
  await leaveRoomForUpdates(db, 'presence', 70)

  await db.schema
    .createTable('presence_events')
    .addColumn('key', longInteger(db), generatedKey(db))
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
  await leaveRoomForUpdates(db, 'alive_mark', 10)

  if (!isPostgres(db)) return
  // Counts the servers that have had the database. A server that lost it can tell whether another had it
  // since.
  await db.schema
    .createTable('server_term')
    .addColumn('key', 'integer', (column) => column.primaryKey().check(sql`key = 1`))
    .addColumn('term', 'bigint', (column) => column.notNull())
    .execute()
  await sql`insert into server_term (key, term) values (1, 0)`.execute(db)
}
