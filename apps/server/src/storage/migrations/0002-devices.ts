import { sql, type Kysely } from 'kysely'
import { bytes, generatedKey, leaveRoomForUpdates } from '../column-types.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('devices')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('user_key', 'integer', (column) =>
      column.notNull().references('users.key').onDelete('cascade'),
    )
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('lat', 'double precision', (column) =>
      column.notNull().check(sql`lat between -90 and 90`),
    )
    .addColumn('lon', 'double precision', (column) =>
      column.notNull().check(sql`lon between -180 and 180`),
    )
    .addColumn('link', 'text')
    .addColumn('visibility', 'text', (column) =>
      column.notNull().check(sql`visibility in ('public', 'private')`),
    )
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('devices_by_user').on('devices').column('user_key').execute()

  await db.schema
    .createTable('device_tokens')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('device_key', 'integer', (column) =>
      column.notNull().references('devices.key').onDelete('cascade'),
    )
    .addColumn('token_hash', bytes(db), (column) => column.notNull().unique())
    .addColumn('start', 'text', (column) => column.notNull())
    .addColumn('label', 'text')
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('last_used_ms', 'bigint')
    .execute()
  await db.schema
    .createIndex('device_tokens_by_device')
    .on('device_tokens')
    .column('device_key')
    .execute()
  await leaveRoomForUpdates(db, 'device_tokens', 85)
}
