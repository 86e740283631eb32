import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../database-kind.ts'

/**
 * Which server each agent is connected to, and how servers reach one another, so that any of them can let a
 * visitor in. One server on SQLite has all agents itself.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return
  await db.schema
    .createTable('relay_instances')
    .addColumn('writer', 'integer', (column) =>
      column.primaryKey().references('writers.writer').onDelete('cascade'),
    )
    // Where the others reach it; null if its operator gave no address.
    .addColumn('url', 'text')
    // Signs the others' requests to it.
    .addColumn('hop_key', 'bytea', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('relay_leases')
    .addColumn('writer', 'integer', (column) =>
      column.notNull().references('relay_instances.writer').onDelete('cascade'),
    )
    .addColumn('device_key', 'integer', (column) => column.notNull())
    .addColumn('agent_id', 'text', (column) => column.notNull())
    // The one island that it carries; null if it carries all islands of its device.
    .addColumn('island_key', 'integer')
    .addColumn('since_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('relay_leases_pk', ['writer', 'device_key', 'agent_id'])
    .execute()

  await sql`
    create function note_relay_instances() returns trigger language plpgsql as $$
    begin
      perform append_to_journal('relay-instances', (select array_agg(writer) from changed), null);
      return null;
    end $$`.execute(db)
  await sql`
    create function note_relay_leases() returns trigger language plpgsql as $$
    begin
      perform append_to_journal('relay-leases', (select array_agg(device_key) from changed), (
        select jsonb_agg(jsonb_build_object(
          'writer', writer, 'deviceKey', device_key, 'agentId', agent_id, 'islandKey', island_key,
          'sinceMs', since_ms, 'isHeld', tg_op <> 'DELETE'))
        from changed));
      return null;
    end $$`.execute(db)
  for (const event of ['insert', 'update', 'delete'] as const) {
    await createTrigger(db, 'relay_instances', event, 'note_relay_instances()')
    await createTrigger(db, 'relay_leases', event, 'note_relay_leases()')
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
