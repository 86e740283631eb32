import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('heartbeat_journal')
    .addColumn('key', 'integer', (column) => column.primaryKey())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('device_keys', 'blob', (column) => column.notNull())
    .execute()
}
