import { sql, type Kysely } from 'kysely'

type Event = 'insert' | 'update' | 'delete'

/**
 * On PostgreSQL, triggers append to `changes`, so that the other servers miss no change, not even a row that
 * was deleted along with another one. They append nothing where no server does, such as while data is moved.
 */
export async function createChangeTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function append_change(topic text, keys integer[], details jsonb) returns void
    language plpgsql as $$
    declare
      own integer := nullif(current_setting('astropelago.writer', true), '')::integer;
      next bigint;
    begin
      if own is null or cardinality(keys) is null then return; end if;
      update writers set number = number + 1 where writer = own returning number into next;
      insert into changes (writer, number, at_ms, topic, keys, details)
      values (own, next, (extract(epoch from clock_timestamp()) * 1000)::bigint, topic, keys, details);
    end $$`.execute(db)
  await appendIslands(db)
  await appendPeople(db)
  await appendDeviceReports(db)
  await appendRelay(db)
}

/** Readers of the live feed need the ids of islands that are no longer listed. */
async function appendIslands(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function append_islands() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        perform append_change('islands', (select array_agg(key) from after), null);
      elsif tg_op = 'UPDATE' then
        perform append_change('islands', (select array_agg(key) from after), (
          select jsonb_object_agg(before.key, before.id)
          from before join after using (key)
          where before.is_listed = 1 and before.hidden_ms is null
            and (after.is_listed = 0 or after.hidden_ms is not null)));
      else
        perform append_change('islands', (select array_agg(key) from before), (
          select jsonb_object_agg(key, id) from before
          where is_listed = 1 and hidden_ms is null));
      end if;
      return null;
    end $$`.execute(db)
  await compareRows(db, 'islands', 'append_islands()')

  // A host's name is on cards, operators' decisions about a host are cached with the host's islands, and
  // nobody sees the islands of a disabled host.
  await sql`
    create function append_hosts() returns trigger language plpgsql as $$
    begin
      perform append_change('islands', (
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
  await sql`
    create trigger change_hosts after update on users
    referencing old table as before new table as after
    for each statement execute function append_hosts()`.execute(db)

  // The other servers read the island again, and so learn of its port.
  await sql`
    create function append_relay_ports() returns trigger language plpgsql as $$
    begin
      perform append_change('islands', (
        select array_agg(distinct island_key) filter (where island_key is not null)
        from changed), null);
      return null;
    end $$`.execute(db)
  await afterEach(db, ['insert', 'update'], 'relay_ports', 'append_relay_ports()')
}

/** Changes that are not cached, but that viewers of an island are notified of. */
async function appendPeople(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function append_island_rows() returns trigger language plpgsql as $$
    begin
      perform append_change(tg_argv[0], (
        select array_agg(distinct island_key) from changed), null);
      return null;
    end $$`.execute(db)
  await sql`
    create function append_island_people() returns trigger language plpgsql as $$
    begin
      perform append_change(tg_argv[0], (
        select array_agg(distinct island_key) from changed), (
        select jsonb_agg(jsonb_build_array(island_key, user_key)) from changed));
      return null;
    end $$`.execute(db)
  const all: readonly Event[] = ['insert', 'update', 'delete']
  await afterEach(db, all, 'island_routes', `append_island_rows('islands')`)
  await afterEach(db, all, 'island_log', `append_island_rows('island-log')`)
  for (const [table, topic] of [
    ['island_members', 'island-members'],
    ['island_blocks', 'island-members'],
    ['island_requests', 'island-requests'],
  ] as const) {
    await afterEach(db, ['insert', 'delete'], table, `append_island_people('${topic}')`)
  }
}

async function appendDeviceReports(db: Kysely<unknown>): Promise<void> {
  // Not deletions: a row goes only with its device, which is appended itself.
  await sql`
    create function append_device_reports() returns trigger language plpgsql as $$
    begin
      perform append_change('device-reports', (
        select array_agg(device_key) from changed), null);
      return null;
    end $$`.execute(db)
  await afterEach(db, ['insert', 'update'], 'device_reports', 'append_device_reports()')
}

async function appendRelay(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function append_relay_instances() returns trigger language plpgsql as $$
    begin
      perform append_change('relay-instances', (select array_agg(writer) from changed), null);
      return null;
    end $$`.execute(db)
  await sql`
    create function append_relay_leases() returns trigger language plpgsql as $$
    begin
      perform append_change('relay-leases', (select array_agg(device_key) from changed), (
        select jsonb_agg(jsonb_build_object(
          'writer', writer, 'deviceKey', device_key, 'agentId', agent_id, 'islandKey', island_key,
          'sinceMs', since_ms, 'isHeld', tg_op <> 'DELETE'))
        from changed));
      return null;
    end $$`.execute(db)
  for (const table of ['relay_instances', 'relay_leases']) {
    await afterEach(db, ['insert', 'update', 'delete'], table, `append_${table}()`)
  }

  // Not deletions: a row goes only with its island or before a change of it, and both are appended
  // themselves.
  await sql`
    create function append_relay_openings() returns trigger language plpgsql as $$
    begin
      perform append_change('relay-openings', (select array_agg(island_key) from changed), (
        select jsonb_agg(jsonb_build_object(
          'islandKey', island_key, 'isOpen', is_open = 1, 'sinceMs', since_ms))
        from changed));
      return null;
    end $$`.execute(db)
  await afterEach(db, ['insert', 'update'], 'relay_openings', 'append_relay_openings()')
}

async function afterEach(
  db: Kysely<unknown>,
  events: readonly Event[],
  table: string,
  call: string,
): Promise<void> {
  for (const event of events) {
    await createTrigger(db, {
      event,
      table,
      rows: `${event === 'delete' ? 'old' : 'new'} table as changed`,
      call,
    })
  }
}

/** Calls a function that sees the rows as they were and as they are. */
async function compareRows(db: Kysely<unknown>, table: string, call: string): Promise<void> {
  const [before, after] = ['old table as before', 'new table as after']
  await createTrigger(db, { event: 'insert', table, rows: after, call })
  await createTrigger(db, { event: 'update', table, rows: `${before} ${after}`, call })
  await createTrigger(db, { event: 'delete', table, rows: before, call })
}

async function createTrigger(
  db: Kysely<unknown>,
  { event, table, rows, call }: Readonly<Record<'event' | 'table' | 'rows' | 'call', string>>,
): Promise<void> {
  await sql`
    create trigger ${sql.ref(`change_${event}`)} after ${sql.raw(event)} on ${sql.table(table)}
    referencing ${sql.raw(rows)}
    for each statement execute function ${sql.raw(call)}`.execute(db)
}
