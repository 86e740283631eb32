import { sql, type Kysely } from 'kysely'
import { bytes } from '../column-types.ts'
import { isPostgres } from '../database-kind.ts'

/** Ports that islands have for games and other programs, and the networks that are let in there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('relay_ports')
    .addColumn('port', 'integer', (column) => column.primaryKey())
    // The island that has it, or had it last. That island gets it again.
    .addColumn('island_key', 'integer', (column) =>
      column.unique().references('islands.key').onDelete('set null'),
    )
    // Null while the island has it, and after the island's end until a server notices.
    .addColumn('freed_ms', 'bigint')
    .execute()

  await db.schema
    .createTable('relay_addresses')
    .addColumn('island_key', 'integer', (column) =>
      column.notNull().references('islands.key').onDelete('cascade'),
    )
    .addColumn('user_key', 'integer', (column) =>
      column.notNull().references('users.key').onDelete('cascade'),
    )
    .addColumn('address_hash', bytes(db), (column) => column.notNull())
    .addColumn('seen_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('relay_addresses_pk', ['island_key', 'address_hash', 'user_key'])
    .execute()
  await db.schema
    .createIndex('relay_addresses_by_user')
    .on('relay_addresses')
    .columns(['user_key', 'island_key', 'seen_ms'])
    .execute()
  await db.schema
    .createIndex('relay_addresses_by_time')
    .on('relay_addresses')
    .column('seen_ms')
    .execute()

  if (isPostgres(db)) await notePorts(db)
}

/** Other servers read the island again, and so learn of its port. */
async function notePorts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_relay_ports() returns trigger language plpgsql as $$
    begin
      perform append_to_journal('islands', (
        select array_agg(distinct island_key) filter (where island_key is not null)
        from changed), null);
      return null;
    end $$`.execute(db)
  for (const event of ['insert', 'update'] as const) {
    await sql`
      create trigger ${sql.ref(`journal_${event}`)} after ${sql.raw(event)} on relay_ports
      referencing new table as changed
      for each statement execute function note_relay_ports()`.execute(db)
  }
}
