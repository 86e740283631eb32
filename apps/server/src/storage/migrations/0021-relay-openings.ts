import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../database-kind.ts'

/** Whether relayed islands are open, and since when, so that a server that starts can go on from there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('relay_openings')
    .addColumn('island_key', 'integer', (column) =>
      column.primaryKey().references('islands.key').onDelete('cascade'),
    )
    .addColumn('is_open', 'integer', (column) => column.notNull())
    .addColumn('since_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('relay_openings_by_time')
    .on('relay_openings')
    .columns(['since_ms', 'island_key'])
    .execute()
  if (isPostgres(db)) await logOpenings(db)
}

/**
 * Deletions are not noted. A row goes only with its island or before a change of it, and both are noted
 * themselves.
 */
async function logOpenings(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_relay_openings() returns trigger language plpgsql as $$
    begin
      perform append_to_journal('relay-openings', (select array_agg(island_key) from changed), (
        select jsonb_agg(jsonb_build_object(
          'islandKey', island_key, 'isOpen', is_open = 1, 'sinceMs', since_ms))
        from changed));
      return null;
    end $$`.execute(db)
  for (const event of ['insert', 'update'] as const) {
    await sql`
      create trigger ${sql.ref(`journal_${event}`)} after ${sql.raw(event)} on relay_openings
      referencing new table as changed
      for each statement execute function note_relay_openings()`.execute(db)
  }
}
