import { sql, type Kysely } from 'kysely'
import { generatedKey, longInteger } from '../column-types.ts'
import { isPostgres } from '../database-kind.ts'

/** Who did what, and users whom an operator has disabled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_log')
    .addColumn('key', longInteger(db), generatedKey(db))
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    // No reference: the record stays when the user or the device is gone.
    .addColumn('subject', 'text')
    // JSON.
    .addColumn('details', 'text')
    .addColumn('outcome', 'text', (column) =>
      column.notNull().check(sql`outcome in ('begun', 'done', 'refused')`),
    )
    // The code of a refusal.
    .addColumn('code', 'text')
    .execute()
  await db.schema.createIndex('audit_log_subject').on('audit_log').column('subject').execute()
  await db.schema.createIndex('audit_log_actor').on('audit_log').column('actor').execute()

  await db.schema.alterTable('users').addColumn('disabled_ms', 'bigint').execute()
  // There are few, so queries for public data can exclude them at almost no cost.
  await sql`
    create index users_disabled on users (key) where disabled_ms is not null`.execute(db)
  if (isPostgres(db)) await tellOfDisabling(db)
}

/**
 * Other servers learn that a user was disabled or enabled as a change of all the user's devices and tokens.
 */
async function tellOfDisabling(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_disabling() returns trigger language plpgsql as $$
    declare
      keys integer[];
    begin
      select array_agg(devices.key) into keys
      from devices
      join before on before.key = devices.user_key
      join after on after.key = devices.user_key
      where (before.disabled_ms is null) <> (after.disabled_ms is null);
      if keys is null then return null; end if;
      perform append_to_journal('devices', keys, (
        select jsonb_object_agg(devices.key, devices.id)
        from devices join after on after.key = devices.user_key
        where after.disabled_ms is not null and visibility = 'public' and devices.key = any(keys)));
      perform append_to_journal('tokens', keys, null);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger journal_disabling after update on users
    referencing old table as before new table as after
    for each statement execute function note_disabling()`.execute(db)
}
