import type { Kysely } from 'kysely'
import { codePointText, leaveRoomForUpdates } from '../../column-types.ts'
import { goesWith, notNull } from './references.ts'

/** What the platform runtime stores. */
export async function createSpark(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('key_values')
    .addColumn('user_key', 'integer', goesWith('users.key'))
    .addColumn('collection', codePointText(db), notNull)
    .addColumn('name', codePointText(db), notNull)
    .addColumn('value', 'text', notNull)
    .addColumn('bytes', 'integer', notNull)
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
    .addColumn('user_key', 'integer', goesWith('users.key'))
    .addColumn('day', codePointText(db), notNull)
    .addColumn('calls', 'integer', notNull)
    .addColumn('tokens', 'integer', notNull)
    .addPrimaryKeyConstraint('llm_usage_pk', ['user_key', 'day'])
    .execute()
  await leaveRoomForUpdates(db, 'llm_usage', 85)
}
