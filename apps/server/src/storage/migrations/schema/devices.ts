import { sql, type Kysely } from 'kysely'
import { bytes, generatedKey, leaveRoomForUpdates, longInteger } from '../../column-types.ts'
import { isPostgres } from '../../database-kind.ts'
import { goesWith, notNull, oneFor } from './references.ts'

/** Devices, their tokens, and what the server knows of their liveness. */
export async function createDevices(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('devices')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('user_key', 'integer', goesWith('users.key'))
    .addColumn('label', 'text', notNull)
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
    .addColumn('precision', 'text', (column) =>
      column
        .notNull()
        .defaultTo('exact')
        .check(sql`precision in ('exact', 'km1', 'km10')`),
    )
    .addColumn('public_since_ms', 'bigint')
    .addColumn('created_ms', 'bigint', notNull)
    .addColumn('hidden_ms', 'bigint')
    .addColumn('hidden_reason', 'text')
    .execute()
  await db.schema.createIndex('devices_by_user').on('devices').column('user_key').execute()

  await db.schema
    .createTable('device_tokens')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('device_key', 'integer', goesWith('devices.key'))
    .addColumn('token_hash', bytes(db), (column) => column.notNull().unique())
    .addColumn('start', 'text', notNull)
    .addColumn('label', 'text')
    .addColumn('scope', 'text', (column) =>
      column
        .notNull()
        .defaultTo('report')
        .check(sql`scope in ('report', 'relay')`),
    )
    .addColumn('created_ms', 'bigint', notNull)
    .addColumn('last_used_ms', 'bigint')
    .execute()
  await db.schema
    .createIndex('device_tokens_by_device')
    .on('device_tokens')
    .column('device_key')
    .execute()
  await leaveRoomForUpdates(db, 'device_tokens', 85)

  await createPresence(db)
  await createPresenceEvents(db)
  await createDeviceReports(db)
  await createDeviceDays(db)
}

async function createPresence(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('presence')
    .addColumn('device_key', 'integer', oneFor('devices.key'))
    .addColumn('last_seen_ms', 'bigint', notNull)
    .addColumn('is_online', 'integer', notNull)
    .execute()
  await leaveRoomForUpdates(db, 'presence', 70)

  await db.schema
    .createTable('heartbeat_log')
    .addColumn('key', longInteger(db), (column) =>
      isPostgres(db) ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey(),
    )
    .addColumn('at_ms', 'bigint', notNull)
    .addColumn('device_keys', bytes(db), notNull)
    .execute()
  if (isPostgres(db)) {
    // Filled and emptied once a minute, so it is vacuumed each time. Compressing such short-lived rows is
    // not worth it.
    await sql`
      alter table heartbeat_log alter column device_keys set storage external,
        set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`.execute(db)
  }

  await db.schema
    .createTable('outages')
    .addColumn('from_ms', 'bigint', (column) => column.primaryKey())
    .addColumn('to_ms', 'bigint', notNull)
    .execute()
  await db.schema
    .createTable('unobserved')
    .addColumn('from_ms', 'bigint', notNull)
    .addColumn('to_ms', 'bigint', notNull)
    .addColumn('writer', 'integer', notNull)
    .addPrimaryKeyConstraint('unobserved_pk', ['from_ms', 'writer'])
    .execute()

  await db.schema
    .createTable('alive_mark')
    .addColumn('key', 'integer', (column) => column.primaryKey().check(sql`key = 1`))
    .addColumn('at_ms', 'bigint', notNull)
    .execute()
  await leaveRoomForUpdates(db, 'alive_mark', 10)
}

async function createPresenceEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('presence_events')
    .addColumn('sequence', longInteger(db), generatedKey(db))
    // SQLite has one writer. A value of 1 takes no space in its rows.
    .addColumn('writer', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('device_key', 'integer', goesWith('devices.key'))
    .addColumn('status', 'text', (column) =>
      column.notNull().check(sql`status in ('online', 'offline')`),
    )
    .addColumn('at_ms', 'bigint', notNull)
    .execute()
  await db.schema
    .createIndex('presence_events_by_device')
    .on('presence_events')
    .columns(['device_key', 'at_ms'])
    .execute()

  await db.schema
    .createTable('presence_event_cursors')
    .addColumn('reader', 'text', notNull)
    .addColumn('writer', 'integer', notNull)
    .addColumn('sequence', 'bigint', notNull)
    .addPrimaryKeyConstraint('presence_event_cursors_pk', ['reader', 'writer'])
    .execute()
  await leaveRoomForUpdates(db, 'presence_event_cursors', 10)
  await sql`
    insert into presence_event_cursors (reader, writer, sequence)
    values ('log', 1, 0), ('alerts', 1, 0)`.execute(db)
}

async function createDeviceReports(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('device_reports')
    .addColumn('device_key', 'integer', oneFor('devices.key'))
    .addColumn('at_ms', 'bigint', notNull)
    .addColumn('status', 'text', notNull)
    .addColumn('since_ms', 'bigint', notNull)
    .addColumn('text', 'text')
    .addColumn('change', 'bigint', (column) => column.unique())
    .execute()

  await db.schema
    .createTable('warning_changes')
    .addColumn('key', 'integer', (column) => column.primaryKey().check(sql`key = 1`))
    .addColumn('last', 'bigint', notNull)
    .execute()
  await sql`insert into warning_changes (key, last) values (1, 0)`.execute(db)
}

async function createDeviceDays(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('device_days')
    .addColumn('device_key', 'integer', goesWith('devices.key'))
    .addColumn('day', 'integer', notNull)
    .addColumn('online_s', 'integer', notNull)
    .addColumn('offline_s', 'integer', notNull)
    .addColumn('unobserved_s', 'integer', notNull)
    .addColumn('flips', 'integer', notNull)
    .addColumn('is_online', 'integer', notNull)
    .addColumn('since_ms', 'bigint')
    .addPrimaryKeyConstraint('device_days_pk', ['device_key', 'day'])
    // Rows are stored in key order. Otherwise the key would be stored twice.
    .$call((table) => (isPostgres(db) ? table : table.modifyEnd(sql`without rowid`)))
    .execute()
  // Finds old rows.
  await db.schema.createIndex('device_days_by_day').on('device_days').column('day').execute()
}
