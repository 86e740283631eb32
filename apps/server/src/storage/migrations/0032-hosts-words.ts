import type { Kysely } from 'kysely'

/** What a host asks of an island's visitors. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('islands')
    .addColumn('rules_text', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema.alterTable('islands').addColumn('rules_changed_ms', 'bigint').execute()
}
