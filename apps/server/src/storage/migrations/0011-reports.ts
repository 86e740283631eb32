import { sql, type Kysely } from 'kysely'
import { generatedKey } from '../column-types.ts'
import { isPostgres } from '../database-kind.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('devices').addColumn('hidden_ms', 'bigint').execute()
  await db.schema.alterTable('devices').addColumn('hidden_reason', 'text').execute()
  if (isPostgres(db)) await tellOfHiddenDevices(db)

  await db.schema
    .createTable('reports')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    // A report stays when its reporter is gone.
    .addColumn('reporter_key', 'integer', (column) =>
      column.references('users.key').onDelete('set null'),
    )
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('seen_name', 'text', (column) => column.notNull())
    .addColumn('seen_link', 'text')
    .addColumn('seen_author', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.check(sql`outcome in ('hidden', 'dismissed')`))
    .addColumn('settled_ms', 'bigint')
    .execute()
  await sql`
    create unique index reports_open_once on reports (kind, subject_id, reporter_key)
    where outcome is null`.execute(db)
  await db.schema
    .createIndex('reports_by_reporter')
    .on('reports')
    .columns(['reporter_key', 'created_ms'])
    .execute()
  await db.schema.createIndex('reports_by_settled').on('reports').column('settled_ms').execute()

  await db.schema
    .createTable('announcements')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('level', 'text', (column) =>
      column.notNull().check(sql`level in ('news', 'warning')`),
    )
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('starts_ms', 'bigint', (column) => column.notNull())
    .addColumn('ends_ms', 'bigint')
    .execute()
}

/** A hidden device is no longer public, just like one that turns private: readers need its id. */
async function tellOfHiddenDevices(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function note_devices() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        perform append_to_journal('devices', (select array_agg(key) from after), null);
      elsif tg_op = 'UPDATE' then
        perform append_to_journal('devices', (select array_agg(key) from after), (
          select jsonb_object_agg(before.key, before.id)
          from before join after using (key)
          where before.visibility = 'public' and before.hidden_ms is null
            and (after.visibility = 'private' or after.hidden_ms is not null)));
      else
        perform append_to_journal('devices', (select array_agg(key) from before), (
          select jsonb_object_agg(key, id) from before
          where visibility = 'public' and hidden_ms is null));
      end if;
      return null;
    end $$`.execute(db)
}
