import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../database-kind.ts'

/**
 * Operators' decisions about the relay, and the names that a proxy was told it may get certificates for.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['islands', 'users'] as const) {
    for (const [column, type] of [
      ['relay_stopped_ms', 'bigint'],
      ['relay_stopped_reason', 'text'],
    ] as const) {
      await db.schema.alterTable(table).addColumn(column, type).execute()
    }
  }
  await db.schema.alterTable('users').addColumn('relay_trusted_ms', 'bigint').execute()
  await db.schema.alterTable('island_slugs').addColumn('certified_ms', 'bigint').execute()
  if (isPostgres(db)) await noteHosts(db)
}

/** As in `0014-island-journal.ts`. What operators decide about a host is cached with the host's islands. */
async function noteHosts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function note_hosts() returns trigger language plpgsql as $$
    begin
      perform append_to_journal('islands', (
        select array_agg(islands.key)
        from islands
        join before on before.key = islands.user_key
        join after on after.key = islands.user_key
        where (before.disabled_ms is null) <> (after.disabled_ms is null)
          or (before.relay_stopped_ms is null) <> (after.relay_stopped_ms is null)
          or (before.relay_trusted_ms is null) <> (after.relay_trusted_ms is null)
          or coalesce(before.name, before.username) <> coalesce(after.name, after.username)
      ), (
        select jsonb_object_agg(islands.key, islands.id)
        from islands
        join before on before.key = islands.user_key
        join after on after.key = islands.user_key
        where before.disabled_ms is null and after.disabled_ms is not null
          and is_listed = 1 and hidden_ms is null));
      return null;
    end $$`.execute(db)
}
