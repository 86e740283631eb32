import type { Kysely } from 'kysely'
import { bytes, generatedKey } from '../column-types.ts'

/** Keys with which programs call the API as their user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_keys')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('user_key', 'integer', (column) =>
      column.notNull().references('users.key').onDelete('cascade'),
    )
    .addColumn('key_hash', bytes(db), (column) => column.notNull().unique())
    .addColumn('start', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    // Separated by spaces.
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('last_used_ms', 'bigint')
    .addColumn('expires_ms', 'bigint')
    .execute()
  await db.schema.createIndex('api_keys_by_user').on('api_keys').column('user_key').execute()
}
