import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../database-kind.ts'

/** Devices' last reports about themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('device_reports')
    .addColumn('device_key', 'integer', (column) =>
      column.primaryKey().references('devices.key').onDelete('cascade'),
    )
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('since_ms', 'bigint', (column) => column.notNull())
    .addColumn('text', 'text')
    // Null if it never warned.
    .addColumn('change', 'bigint', (column) => column.unique())
    .execute()
  // Numbers the beginnings and ends of warnings, in commit order.
  await db.schema
    .createTable('warning_changes')
    .addColumn('key', 'integer', (column) => column.primaryKey().check(sql`key = 1`))
    .addColumn('last', 'bigint', (column) => column.notNull())
    .execute()
  await sql`insert into warning_changes (key, last) values (1, 0)`.execute(db)
  if (isPostgres(db)) await noteReports(db)
}

/** Deletions are not noted. A row goes only with its device, which is noted itself. */
async function noteReports(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_device_reports() returns trigger language plpgsql as $$
    begin
      perform append_to_journal('device-reports', (
        select array_agg(device_key) from changed), null);
      return null;
    end $$`.execute(db)
  for (const event of ['insert', 'update'] as const) {
    await sql`
      create trigger ${sql.ref(`journal_${event}`)} after ${sql.raw(event)} on device_reports
      referencing new table as changed
      for each statement execute function note_device_reports()`.execute(db)
  }
}
