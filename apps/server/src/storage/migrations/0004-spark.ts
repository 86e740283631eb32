import type { Kysely } from 'kysely'
import { codePointText, leaveRoomForUpdates } from '../column-types.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('key_values')
    .addColumn('user_key', 'integer', (column) =>
      column.notNull().references('users.key').onDelete('cascade'),
    )
    .addColumn('collection', codePointText(db), (column) => column.notNull())
    .addColumn('name', codePointText(db), (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('key_values_pk', ['user_key', 'collection', 'name'])
    .execute()
  // Each write sums up how much a user has stored. The index alone answers that, without reading the
  // values.
  await db.schema
    .createIndex('key_values_usage')
    .on('key_values')
    .columns(['user_key', 'bytes'])
    .execute()
  await leaveRoomForUpdates(db, 'key_values', 85)

  await db.schema
    .createTable('llm_usage')
    .addColumn('user_key', 'integer', (column) =>
      column.notNull().references('users.key').onDelete('cascade'),
    )
    .addColumn('day', codePointText(db), (column) => column.notNull())
    .addColumn('calls', 'integer', (column) => column.notNull())
    .addColumn('tokens', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('llm_usage_pk', ['user_key', 'day'])
    .execute()
  await leaveRoomForUpdates(db, 'llm_usage', 85)
}
