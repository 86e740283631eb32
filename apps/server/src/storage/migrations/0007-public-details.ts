import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Devices that are there stay as they were shown.
  await db.schema
    .alterTable('devices')
    .addColumn('precision', 'text', (column) =>
      column
        .notNull()
        .defaultTo('exact')
        .check(sql`precision in ('exact', 'km1', 'km10')`),
    )
    .execute()
  await db.schema.alterTable('devices').addColumn('public_since_ms', 'bigint').execute()
  await sql`update devices set public_since_ms = created_ms where visibility = 'public'`.execute(db)

  await db.schema
    .alterTable('users')
    .addColumn('is_name_public', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
