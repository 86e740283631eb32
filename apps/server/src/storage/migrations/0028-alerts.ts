import { sql, type Kysely } from 'kysely'
import { generatedKey, leaveRoomForUpdates } from '../column-types.ts'

/** Alert rules, alerts that are due, and messages on their way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_rules')
    .addColumn('user_key', 'integer', (column) =>
      column.primaryKey().references('users.key').onDelete('cascade'),
    )
    // JSON.
    .addColumn('rules', 'text', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('alert_thing_rules')
    .addColumn('user_key', 'integer', (column) =>
      column.notNull().references('users.key').onDelete('cascade'),
    )
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('subject_key', 'integer', (column) => column.notNull())
    // One of the two is the subject's key, so that the row goes with its device or island.
    .addColumn('device_key', 'integer', (column) =>
      column.references('devices.key').onDelete('cascade'),
    )
    .addColumn('island_key', 'integer', (column) =>
      column.references('islands.key').onDelete('cascade'),
    )
    // JSON.
    .addColumn('rules', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('alert_thing_rules_pk', ['user_key', 'subject', 'subject_key'])
    .execute()
  await indexThings(db, 'alert_thing_rules')

  await db.schema
    .createTable('alert_maintenance')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_key', 'integer', (column) =>
      column.notNull().references('users.key').onDelete('cascade'),
    )
    .addColumn('from_ms', 'bigint', (column) => column.notNull())
    .addColumn('until_ms', 'bigint', (column) => column.notNull())
    // JSON: the ids of devices and islands.
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('note', 'text')
    .execute()
  await db.schema
    .createIndex('alert_maintenance_by_user')
    .on('alert_maintenance')
    .columns(['user_key', 'until_ms'])
    .execute()

  await db.schema
    .createTable('alert_cursors')
    .addColumn('source', 'text', (column) => column.primaryKey())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('alert_items')
    .addColumn('user_key', 'integer', (column) =>
      column.notNull().references('users.key').onDelete('cascade'),
    )
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('subject_key', 'integer', (column) => column.notNull())
    // One of the two is the subject's key, so that the row goes with its device or island.
    .addColumn('device_key', 'integer', (column) =>
      column.references('devices.key').onDelete('cascade'),
    )
    .addColumn('island_key', 'integer', (column) =>
      column.references('islands.key').onDelete('cascade'),
    )
    .addColumn('is_over', 'integer', (column) => column.notNull())
    .addColumn('since_ms', 'bigint', (column) => column.notNull())
    .addColumn('ended_ms', 'bigint')
    .addColumn('times', 'integer', (column) => column.notNull())
    .addColumn('told_ms', 'bigint')
    .addPrimaryKeyConstraint('alert_items_pk', ['user_key', 'subject', 'subject_key', 'is_over'])
    .execute()
  await indexThings(db, 'alert_items')

  await db.schema
    .createTable('alert_turns')
    .addColumn('user_key', 'integer', (column) =>
      column.primaryKey().references('users.key').onDelete('cascade'),
    )
    .addColumn('look_ms', 'bigint')
    .addColumn('told_ms', 'bigint')
    .execute()
  await leaveRoomForUpdates(db, 'alert_turns', 50)
  await db.schema
    .createIndex('alert_turns_by_look')
    .on('alert_turns')
    .column('look_ms')
    .where(sql.ref('look_ms'), 'is not', null)
    .execute()

  await db.schema
    .createTable('alert_messages')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('user_key', 'integer', (column) =>
      column.notNull().references('users.key').onDelete('cascade'),
    )
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    // JSON, as channels receive it.
    .addColumn('message', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('alert_messages_by_user')
    .on('alert_messages')
    .columns(['user_key', 'at_ms', 'id'])
    .execute()

  await db.schema
    .createTable('alert_deliveries')
    .addColumn('message_key', 'integer', (column) =>
      column.notNull().references('alert_messages.key').onDelete('cascade'),
    )
    // The channel as it was, because it may be gone by now.
    .addColumn('channel_key', 'integer', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('channel_kind', 'text', (column) => column.notNull())
    .addColumn('channel_name', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('tried_ms', 'bigint')
    // Null if no other try follows.
    .addColumn('next_ms', 'bigint')
    .addColumn('answer', 'text')
    .addPrimaryKeyConstraint('alert_deliveries_pk', ['message_key', 'channel_key'])
    .execute()
  await db.schema
    .createIndex('alert_deliveries_due')
    .on('alert_deliveries')
    .column('next_ms')
    .where(sql.ref('next_ms'), 'is not', null)
    .execute()

  // One row while an operator has paused sending.
  await db.schema
    .createTable('alert_pause')
    .addColumn('key', 'integer', (column) => column.primaryKey().check(sql`key = 1`))
    .addColumn('since_ms', 'bigint', (column) => column.notNull())
    .execute()

  // Alerts begin now, so there are none about earlier flips and warnings.
  await sql`
    insert into flip_cursors (reader, writer, sequence)
    select 'alerts', 1, coalesce(max(sequence), 0) from presence_events`.execute(db)
  await sql`
    insert into alert_cursors (source, position)
    select 'warnings', last from warning_changes`.execute(db)
}

/** Finds the rows of a device or an island that is deleted. */
async function indexThings(db: Kysely<unknown>, table: string): Promise<void> {
  for (const column of ['device_key', 'island_key']) {
    await db.schema
      .createIndex(`${table}_by_${column.slice(0, -4)}`)
      .on(table)
      .columns([column, 'user_key'])
      .where(sql.ref(column), 'is not', null)
      .execute()
  }
}
