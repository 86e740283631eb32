import { sql, type Kysely } from 'kysely'
import { leaveRoomForUpdates } from '../column-types.ts'
import { isPostgres } from '../database-kind.ts'

/**
 * For several servers on one PostgreSQL: how they learn of one another's changes. One server on SQLite
 * needs none of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return
  await sql`drop table server_term`.execute(db)

  // One run of a server. Every transaction that writes locks its row, so that its numbers are committed
  // in order.
  await db.schema
    .createTable('writers')
    .addColumn('writer', 'integer', (column) => column.primaryKey().generatedByDefaultAsIdentity())
    // The last number in its journal.
    .addColumn('number', 'bigint', (column) => column.notNull().defaultTo(0))
    // Up to this number, its heartbeats are in the rows of their devices.
    .addColumn('folded', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('alive_ms', 'bigint', (column) => column.notNull())
    // Devices are judged up to this time. A heartbeat that is committed later is no older.
    .addColumn('judged_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    // The last span in which it could not reach the database.
    .addColumn('silent_from_ms', 'bigint')
    .addColumn('silent_to_ms', 'bigint')
    .addColumn('is_running', 'boolean', (column) => column.notNull().defaultTo(true))
    .execute()
  await leaveRoomForUpdates(db, 'writers', 10)

  await db.schema
    .createTable('journal')
    .addColumn('writer', 'integer', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('topic', 'text', (column) => column.notNull())
    // For heartbeats: 32-bit integers, little-endian. Everything else, and the devices that came online,
    // is in the next column.
    .addColumn('device_keys', 'bytea')
    .addColumn('keys', sql`integer[]`)
    // Devices that are no longer public, by key, with their ids; or names of key-values.
    .addColumn('details', 'jsonb')
    .addPrimaryKeyConstraint('journal_pk', ['writer', 'number'])
    .execute()
  // Filled and emptied all the time, so it is vacuumed each minute. Compressing such short-lived rows is
  // not worth it.
  await sql`
    alter table journal alter column device_keys set storage external,
      set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`.execute(db)

  await db.schema
    .createTable('leadership')
    .addColumn('key', 'integer', (column) => column.primaryKey().check(sql`key = 1`))
    .addColumn('writer', 'integer')
    .addColumn('term', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('expires_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    // How far in each journal all flips are on record and all messages are sent.
    .addColumn('cursors', 'jsonb', (column) => column.notNull().defaultTo(sql`'{}'`))
    .addColumn('feed_epoch', 'text', (column) => column.notNull())
    .addColumn('feed_number', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await leaveRoomForUpdates(db, 'leadership', 10)
  await sql`
    insert into leadership (key, feed_epoch) values (1, left(md5(random()::text), 8))`.execute(db)

  await db.schema
    .createTable('feed_messages')
    .addColumn('number', 'bigint', (column) => column.primaryKey())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('device_key', 'integer', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .execute()

  await keepJournals(db)
}

/**
 * Triggers write the journal, so that it misses no change, not even a row that was deleted along with
 * another one. They write nothing where no server does, such as while data is moved.
 */
async function keepJournals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function append_to_journal(topic text, keys integer[], details jsonb) returns void
    language plpgsql as $$
    declare
      own integer := nullif(current_setting('astropelago.writer', true), '')::integer;
      next bigint;
    begin
      if own is null or cardinality(keys) is null then return; end if;
      update writers set number = number + 1 where writer = own returning number into next;
      insert into journal (writer, number, at_ms, topic, keys, details)
      values (own, next, (extract(epoch from clock_timestamp()) * 1000)::bigint, topic, keys, details);
    end $$`.execute(db)

  await sql`
    create function note_devices() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        perform append_to_journal('devices', (select array_agg(key) from after), null);
      elsif tg_op = 'UPDATE' then
        perform append_to_journal('devices', (select array_agg(key) from after), (
          select jsonb_object_agg(before.key, before.id)
          from before join after using (key)
          where before.visibility = 'public' and after.visibility = 'private'));
      else
        perform append_to_journal('devices', (select array_agg(key) from before), (
          select jsonb_object_agg(key, id) from before where visibility = 'public'));
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger journal_insert after insert on devices
    referencing new table as after for each statement execute function note_devices()`.execute(db)
  await sql`
    create trigger journal_update after update on devices
    referencing old table as before new table as after
    for each statement execute function note_devices()`.execute(db)
  await sql`
    create trigger journal_delete after delete on devices
    referencing old table as before for each statement execute function note_devices()`.execute(db)

  await sql`
    create function note_tokens() returns trigger language plpgsql as $$
    begin
      perform append_to_journal('tokens', (select array_agg(distinct device_key) from changed), null);
      return null;
    end $$`.execute(db)
  for (const event of ['insert', 'delete'] as const) {
    await createTrigger(db, 'device_tokens', event, 'note_tokens()')
  }

  await sql`
    create function note_values() returns trigger language plpgsql as $$
    begin
      perform append_to_journal('values', (select array_agg(distinct user_key) from changed), (
        select jsonb_agg(jsonb_build_array(user_key, collection, name)) from changed));
      return null;
    end $$`.execute(db)
  for (const event of ['insert', 'update', 'delete'] as const) {
    await createTrigger(db, 'key_values', event, 'note_values()')
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
