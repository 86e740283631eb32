import { sql, type Kysely } from 'kysely'

/** Islands whose visitors come through the relay, and the tokens that agents connect with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('device_tokens')
    .addColumn('scope', 'text', (column) =>
      column
        .notNull()
        .defaultTo('report')
        .check(sql`scope in ('report', 'relay')`),
    )
    .execute()
  await db.schema
    .alterTable('islands')
    .addColumn('is_relayed', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
