import type { Kysely } from 'kysely'

/** Users' public status pages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('status_pages')
    .addColumn('user_key', 'integer', (column) =>
      column.primaryKey().references('users.key').onDelete('cascade'),
    )
    // JSON.
    .addColumn('settings', 'text', (column) => column.notNull())
    .execute()
}
