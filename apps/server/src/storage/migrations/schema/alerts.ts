import { sql, type Kysely } from 'kysely'
import { bytes, generatedKey, leaveRoomForUpdates } from '../../column-types.ts'
import { goesWith, notNull, oneFor } from './references.ts'

/** Alert rules, alerts that are due, messages on their way, and where they go. */
export async function createAlerts(db: Kysely<unknown>): Promise<void> {
  await createChannels(db)
  await createRules(db)
  await createItems(db)
  await createMessages(db)
  await db.schema
    .createTable('status_pages')
    .addColumn('user_key', 'integer', oneFor('users.key'))
    .addColumn('settings', 'text', notNull)
    .execute()
}

async function createChannels(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_channels')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('user_key', 'integer', goesWith('users.key'))
    .addColumn('kind', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('settings', 'text', notNull)
    .addColumn('revision', 'integer', notNull)
    .addColumn('secret', 'text')
    .addColumn('unsubscribe_code', 'text', (column) => column.unique())
    .addColumn('confirmed_ms', 'bigint')
    .addColumn('code_hash', bytes(db), (column) => column.unique())
    .addColumn('code_expires_ms', 'bigint')
    .addColumn('ended_ms', 'bigint')
    .addColumn('created_ms', 'bigint', notNull)
    .addColumn('answer_ms', 'bigint')
    .addColumn('answer_is_ok', 'integer')
    .addColumn('answer_text', 'text')
    .addColumn('failing_ms', 'bigint')
    .execute()
  await db.schema
    .createIndex('alert_channels_by_user')
    .on('alert_channels')
    .columns(['user_key', 'key'])
    .execute()

  await db.schema
    .createTable('push_keys')
    .addColumn('key', 'integer', (column) => column.primaryKey())
    .addColumn('public_key', 'text', notNull)
    .addColumn('private_key', 'text', notNull)
    .execute()
}

async function createRules(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_rules')
    .addColumn('user_key', 'integer', oneFor('users.key'))
    .addColumn('rules', 'text', notNull)
    .execute()

  await db.schema
    .createTable('alert_subject_rules')
    .addColumn('user_key', 'integer', goesWith('users.key'))
    .addColumn('subject', 'text', notNull)
    .addColumn('subject_key', 'integer', notNull)
    // One of the two is the subject's key, so that the row goes with its device or island.
    .addColumn('device_key', 'integer', (column) =>
      column.references('devices.key').onDelete('cascade'),
    )
    .addColumn('island_key', 'integer', (column) =>
      column.references('islands.key').onDelete('cascade'),
    )
    .addColumn('rules', 'text', notNull)
    .addPrimaryKeyConstraint('alert_subject_rules_pk', ['user_key', 'subject', 'subject_key'])
    .execute()
  await indexSubjects(db, 'alert_subject_rules')

  await db.schema
    .createTable('alert_maintenance')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_key', 'integer', goesWith('users.key'))
    .addColumn('from_ms', 'bigint', notNull)
    .addColumn('until_ms', 'bigint', notNull)
    .addColumn('scope', 'text', notNull)
    .addColumn('note', 'text')
    .execute()
  await db.schema
    .createIndex('alert_maintenance_by_user')
    .on('alert_maintenance')
    .columns(['user_key', 'until_ms'])
    .execute()
}

async function createItems(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_cursors')
    .addColumn('source', 'text', (column) => column.primaryKey())
    .addColumn('position', 'bigint', notNull)
    .execute()
  await sql`insert into alert_cursors (source, position) values ('warnings', 0)`.execute(db)

  await db.schema
    .createTable('alert_items')
    .addColumn('user_key', 'integer', goesWith('users.key'))
    .addColumn('subject', 'text', notNull)
    .addColumn('subject_key', 'integer', notNull)
    // One of the two is the subject's key, so that the row goes with its device or island.
    .addColumn('device_key', 'integer', (column) =>
      column.references('devices.key').onDelete('cascade'),
    )
    .addColumn('island_key', 'integer', (column) =>
      column.references('islands.key').onDelete('cascade'),
    )
    .addColumn('is_over', 'integer', notNull)
    .addColumn('since_ms', 'bigint', notNull)
    .addColumn('ended_ms', 'bigint')
    .addColumn('times', 'integer', notNull)
    .addColumn('alerted_ms', 'bigint')
    .addPrimaryKeyConstraint('alert_items_pk', ['user_key', 'subject', 'subject_key', 'is_over'])
    .execute()
  await indexSubjects(db, 'alert_items')

  await db.schema
    .createTable('alert_turns')
    .addColumn('user_key', 'integer', oneFor('users.key'))
    .addColumn('due_ms', 'bigint')
    .addColumn('alerted_ms', 'bigint')
    .execute()
  await leaveRoomForUpdates(db, 'alert_turns', 50)
  await db.schema
    .createIndex('alert_turns_by_due')
    .on('alert_turns')
    .column('due_ms')
    .where(sql.ref('due_ms'), 'is not', null)
    .execute()
}

async function createMessages(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_messages')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('user_key', 'integer', goesWith('users.key'))
    .addColumn('at_ms', 'bigint', notNull)
    .addColumn('message', 'text', notNull)
    .execute()
  await db.schema
    .createIndex('alert_messages_by_user')
    .on('alert_messages')
    .columns(['user_key', 'at_ms', 'id'])
    .execute()

  await createDeliveries(db)

  await db.schema
    .createTable('alert_pause')
    .addColumn('key', 'integer', (column) => column.primaryKey().check(sql`key = 1`))
    .addColumn('since_ms', 'bigint', notNull)
    .execute()
}

export async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_deliveries')
    .addColumn('message_key', 'integer', goesWith('alert_messages.key'))
    // As in the message, for the index.
    .addColumn('user_key', 'integer', notNull)
    // The channel as it was, because it may be gone by now.
    .addColumn('channel_key', 'integer', notNull)
    .addColumn('channel_id', 'text', notNull)
    .addColumn('channel_kind', 'text', notNull)
    .addColumn('channel_name', 'text', notNull)
    .addColumn('state', 'text', notNull)
    .addColumn('tries', 'integer', notNull)
    .addColumn('tried_ms', 'bigint')
    .addColumn('next_ms', 'bigint')
    .addColumn('answer', 'text')
    .addPrimaryKeyConstraint('alert_deliveries_pk', ['message_key', 'channel_key'])
    .execute()
  // Finds each user's first deliveries without reading the others.
  await db.schema
    .createIndex('alert_deliveries_due')
    .on('alert_deliveries')
    .columns(['user_key', 'next_ms', 'message_key', 'channel_key'])
    .where(sql.ref('next_ms'), 'is not', null)
    .execute()
}

/** Finds the rows of a device or an island that is deleted. */
async function indexSubjects(db: Kysely<unknown>, table: string): Promise<void> {
  for (const column of ['device_key', 'island_key']) {
    await db.schema
      .createIndex(`${table}_by_${column.slice(0, -4)}`)
      .on(table)
      .columns([column, 'user_key'])
      .where(sql.ref(column), 'is not', null)
      .execute()
  }
}
