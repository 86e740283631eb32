import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../database-kind.ts'

/**
 * How servers that share a PostgreSQL learn of one another's changes of islands. One server on SQLite needs
 * none of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return
  await noteIslands(db)
  await noteHosts(db)
  await noteReaders(db)
  await noteReports(db)
}

/** Readers of the live feed need the ids of islands that are no longer listed. */
async function noteIslands(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_islands() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        perform append_to_journal('islands', (select array_agg(key) from after), null);
      elsif tg_op = 'UPDATE' then
        perform append_to_journal('islands', (select array_agg(key) from after), (
          select jsonb_object_agg(before.key, before.id)
          from before join after using (key)
          where before.is_listed = 1 and before.hidden_ms is null
            and (after.is_listed = 0 or after.hidden_ms is not null)));
      else
        perform append_to_journal('islands', (select array_agg(key) from before), (
          select jsonb_object_agg(key, id) from before
          where is_listed = 1 and hidden_ms is null));
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger journal_insert after insert on islands
    referencing new table as after for each statement execute function note_islands()`.execute(db)
  await sql`
    create trigger journal_update after update on islands
    referencing old table as before new table as after
    for each statement execute function note_islands()`.execute(db)
  await sql`
    create trigger journal_delete after delete on islands
    referencing old table as before for each statement execute function note_islands()`.execute(db)
}

/** A host's name is on cards, and nobody sees the islands of a disabled host. */
async function noteHosts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_hosts() returns trigger language plpgsql as $$
    begin
      perform append_to_journal('islands', (
        select array_agg(islands.key)
        from islands
        join before on before.key = islands.user_key
        join after on after.key = islands.user_key
        where (before.disabled_ms is null) <> (after.disabled_ms is null)
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
  await sql`
    create trigger journal_hosts after update on users
    referencing old table as before new table as after
    for each statement execute function note_hosts()`.execute(db)
}

/** Changes that are not cached, but that viewers of an island are notified of. */
async function noteReaders(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_island_rows() returns trigger language plpgsql as $$
    begin
      perform append_to_journal(tg_argv[0], (
        select array_agg(distinct island_key) from changed), null);
      return null;
    end $$`.execute(db)
  await sql`
    create function note_island_people() returns trigger language plpgsql as $$
    begin
      perform append_to_journal(tg_argv[0], (
        select array_agg(distinct island_key) from changed), (
        select jsonb_agg(jsonb_build_array(island_key, user_key)) from changed));
      return null;
    end $$`.execute(db)
  for (const event of ['insert', 'update', 'delete'] as const) {
    await createTrigger(db, 'island_routes', event, `note_island_rows('islands')`)
    await createTrigger(db, 'island_log', event, `note_island_rows('island-log')`)
  }
  for (const event of ['insert', 'delete'] as const) {
    await createTrigger(db, 'island_members', event, `note_island_people('island-members')`)
    await createTrigger(db, 'island_blocks', event, `note_island_people('island-members')`)
    await createTrigger(db, 'island_requests', event, `note_island_people('island-requests')`)
  }
}

/** Operators are notified of reports, whichever ones changed. */
async function noteReports(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_reports() returns trigger language plpgsql as $$
    begin
      perform append_to_journal('reports', (select array_agg(key) from changed), null);
      return null;
    end $$`.execute(db)
  for (const event of ['insert', 'update'] as const) {
    await createTrigger(db, 'reports', event, 'note_reports()')
  }
}

async function createTrigger(
  db: Kysely<unknown>,
  table: string,
  event: 'insert' | 'update' | 'delete',
  call: string,
): Promise<void> {
  await sql`
    create trigger ${sql.ref(`journal_${event}`)} after ${sql.raw(event)} on ${sql.table(table)}
    referencing ${sql.raw(event === 'delete' ? 'old' : 'new')} table as changed
    for each statement execute function ${sql.raw(call)}`.execute(db)
}
