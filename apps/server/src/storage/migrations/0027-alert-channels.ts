import type { Kysely } from 'kysely'
import { bytes, generatedKey } from '../column-types.ts'

/** Where users receive alerts, and this server's keys for push services. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_channels')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('user_key', 'integer', (column) =>
      column.notNull().references('users.key').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    // JSON, including credentials.
    .addColumn('settings', 'text', (column) => column.notNull())
    // How often the settings were replaced.
    .addColumn('revision', 'integer', (column) => column.notNull())
    // Signs a webhook's calls.
    .addColumn('secret', 'text')
    // Sent in each mail to an address.
    .addColumn('unsubscribe_code', 'text', (column) => column.unique())
    // Null while an address is not confirmed.
    .addColumn('confirmed_ms', 'bigint')
    .addColumn('code_hash', bytes(db), (column) => column.unique())
    .addColumn('code_expires_ms', 'bigint')
    .addColumn('ended_ms', 'bigint')
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('answer_ms', 'bigint')
    .addColumn('answer_is_ok', 'integer')
    .addColumn('answer_note', 'text')
    // Since when deliveries have failed; null if the last one succeeded.
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
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('private_key', 'text', (column) => column.notNull())
    .execute()
}
