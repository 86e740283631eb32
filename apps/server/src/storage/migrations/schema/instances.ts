import { sql, type Kysely } from 'kysely'
import { leaveRoomForUpdates } from '../../column-types.ts'
import { goesWith, notNull, oneFor } from './references.ts'

/**
 * How several servers on one PostgreSQL learn of one another's changes, and which agent is connected to
 * which of them. One server on SQLite needs none of it.
 */
export async function createInstances(db: Kysely<unknown>): Promise<void> {
  // One run of a server. Every transaction that writes locks its row, so that its numbers are committed
  // in order.
  await db.schema
    .createTable('writers')
    .addColumn('writer', 'integer', (column) => column.primaryKey().generatedByDefaultAsIdentity())
    .addColumn('number', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('folded', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('alive_ms', 'bigint', notNull)
    .addColumn('judged_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('silent_from_ms', 'bigint')
    .addColumn('silent_to_ms', 'bigint')
    .addColumn('is_running', 'boolean', (column) => column.notNull().defaultTo(true))
    .execute()
  await leaveRoomForUpdates(db, 'writers', 10)

  await db.schema
    .createTable('changes')
    .addColumn('writer', 'integer', notNull)
    .addColumn('number', 'bigint', notNull)
    .addColumn('at_ms', 'bigint', notNull)
    .addColumn('topic', 'text', notNull)
    .addColumn('device_keys', 'bytea')
    .addColumn('keys', sql`integer[]`)
    .addColumn('details', 'jsonb')
    .addPrimaryKeyConstraint('changes_pk', ['writer', 'number'])
    .execute()
  // Filled and emptied all the time, so it is vacuumed each minute. Compressing such short-lived rows is
  // not worth it.
  await sql`
    alter table changes alter column device_keys set storage external,
      set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`.execute(db)

  await db.schema
    .createTable('leadership')
    .addColumn('key', 'integer', (column) => column.primaryKey().check(sql`key = 1`))
    .addColumn('writer', 'integer')
    .addColumn('term', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('expires_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('cursors', 'jsonb', (column) => column.notNull().defaultTo(sql`'{}'`))
    .addColumn('feed_epoch', 'text', notNull)
    .addColumn('feed_number', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await leaveRoomForUpdates(db, 'leadership', 10)
  await sql`
    insert into leadership (key, feed_epoch) values (1, left(md5(random()::text), 8))`.execute(db)

  await db.schema
    .createTable('feed_messages')
    .addColumn('number', 'bigint', (column) => column.primaryKey())
    .addColumn('type', 'text', notNull)
    .addColumn('device_key', 'integer', notNull)
    .addColumn('payload', 'text', notNull)
    .execute()

  await db.schema
    .createTable('relay_instances')
    .addColumn('writer', 'integer', oneFor('writers.writer'))
    .addColumn('url', 'text')
    .addColumn('hop_key', 'bytea', notNull)
    .execute()
  await db.schema
    .createTable('relay_leases')
    .addColumn('writer', 'integer', goesWith('relay_instances.writer'))
    .addColumn('device_key', 'integer', notNull)
    .addColumn('agent_id', 'text', notNull)
    .addColumn('island_key', 'integer')
    .addColumn('since_ms', 'bigint', notNull)
    .addPrimaryKeyConstraint('relay_leases_pk', ['writer', 'device_key', 'agent_id'])
    .execute()
}
