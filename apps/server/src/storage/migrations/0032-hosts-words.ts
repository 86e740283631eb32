import type { Kysely } from 'kysely'

/** The host's rules for visitors of an island, and the island's pauses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('islands')
    .addColumn('rules_text', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema
    .alterTable('islands')
    .addColumn('pause_text', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  for (const column of ['rules_changed_ms', 'paused_ms', 'paused_until_ms'] as const) {
    await db.schema.alterTable('islands').addColumn(column, 'bigint').execute()
  }
}
