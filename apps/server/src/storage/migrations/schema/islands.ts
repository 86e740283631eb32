import type { Kysely } from 'kysely'
import { columnTypes, runStatements } from '../../database-kind.ts'

/** Islands, their people, their logs, and when they were open. */
export async function createIslands(db: Kysely<unknown>): Promise<void> {
  await createIslandsAndSlugs(db)
  await createPeopleAndRoutes(db)
  await createLog(db)
  await indexAllLogs(db)
  await createEvents(db)
}

async function createIslandsAndSlugs(db: Kysely<unknown>): Promise<void> {
  const { generatedKey, codePointText } = columnTypes(db)
  await runStatements(db, [
    `create table islands (
      key ${generatedKey},
      id text not null unique,
      user_key integer references users (key) on delete cascade,
      slug ${codePointText} not null unique,
      name text not null,
      kind text not null check (kind in ('social', 'media', 'lab')),
      picture bigint not null default 0,
      tagline text not null,
      about text not null,
      rules_text text not null default '',
      rules_changed_ms bigint,
      pause_text text not null default '',
      paused_ms bigint,
      paused_until_ms bigint,
      access text not null check (access in ('public', 'members', 'invited')),
      is_listed integer not null,
      address text,
      is_relayed integer not null default 0,
      carrier_key integer references devices (key) on delete set null,
      created_ms bigint not null,
      published_ms bigint,
      hidden_ms bigint,
      hidden_reason text,
      relay_stopped_ms bigint,
      relay_stopped_reason text
    )`,
    'create index islands_by_user on islands (user_key)',
    'create index islands_by_carrier on islands (carrier_key)',
    `create table island_slugs (
      slug ${codePointText} primary key,
      skeleton text,
      island_key integer references islands (key) on delete set null,
      user_key integer references users (key) on delete set null,
      replaced_ms bigint,
      certified_ms bigint
    )`,
    'create index island_slugs_by_skeleton on island_slugs (skeleton)',
    'create index island_slugs_by_island_key on island_slugs (island_key)',
    'create index island_slugs_by_user_key on island_slugs (user_key)',
  ])
}

async function createPeopleAndRoutes(db: Kysely<unknown>): Promise<void> {
  const { generatedKey, bytes } = columnTypes(db)
  await runStatements(db, [
    ...peopleTable('island_members', 'joined_ms'),
    ...peopleTable('island_requests', 'at_ms', 'text text not null,'),
    ...peopleTable('island_blocks', 'at_ms'),
    `create table island_invitations (
      key ${generatedKey},
      id text not null unique,
      island_key integer not null references islands (key) on delete cascade,
      code_hash ${bytes} not null unique,
      note text,
      max_uses integer not null,
      uses integer not null default 0,
      created_ms bigint not null,
      expires_ms bigint not null
    )`,
    'create index island_invitations_by_island on island_invitations (island_key)',
    'create index island_invitations_by_end on island_invitations (expires_ms)',
    `create table island_routes (
      island_key integer not null references islands (key) on delete cascade,
      neighbour_key integer not null references islands (key) on delete cascade,
      place integer not null,
      constraint island_routes_pk primary key (island_key, neighbour_key)
    )`,
    'create index island_routes_by_neighbour on island_routes (neighbour_key)',
  ])
}

function peopleTable(table: string, timeColumn: string, otherColumn = ''): string[] {
  return [
    `create table ${table} (
      island_key integer not null references islands (key) on delete cascade,
      user_key integer not null references users (key) on delete cascade,
      ${timeColumn} bigint not null,
      ${otherColumn}
      constraint ${table}_pk primary key (island_key, user_key)
    )`,
    `create index ${table}_by_user on ${table} (user_key)`,
    `create index ${table}_by_time on ${table} (island_key, ${timeColumn})`,
  ]
}

async function createLog(db: Kysely<unknown>): Promise<void> {
  const { generatedKey } = columnTypes(db)
  await runStatements(db, [
    `create table island_log (
      key ${generatedKey},
      id text not null unique,
      island_key integer not null references islands (key) on delete cascade,
      kind text not null check (kind in ('opened', 'closed', 'joined', 'signal', 'note')),
      user_key integer references users (key) on delete cascade,
      text text,
      event_ms bigint,
      at_ms bigint not null,
      hidden_ms bigint,
      hidden_reason text
    )`,
    'create index island_log_by_island on island_log (island_key, at_ms, key)',
    'create index island_log_by_user on island_log (user_key, kind, at_ms)',
    // Hosts see how many came in the last day, however long the log is.
    `create index island_notes_by_time on island_log (island_key, at_ms)
     where kind = 'note' and hidden_ms is null`,
    // Hosts' signals are listed across islands: the newest, and upcoming events.
    `create index island_signals_by_time on island_log (at_ms, key) where kind = 'signal'`,
    `create index island_signals_by_event on island_log (event_ms, key)
     where kind = 'signal' and event_ms is not null`,
  ])
}

/** Finds the newest log entries across islands, of every kind or of one. */
export async function indexAllLogs(db: Kysely<unknown>): Promise<void> {
  await runStatements(db, [
    'create index island_log_by_time on island_log (at_ms, key)',
    'create index island_log_by_kind on island_log (kind, at_ms, key)',
    'create index island_log_by_island_kind on island_log (island_key, kind, at_ms, key)',
  ])
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  const { generatedKey, storedByKey } = columnTypes(db)
  await runStatements(db, [
    `create table island_events (
      island_key integer not null references islands (key) on delete cascade,
      at_ms bigint not null,
      kind text not null,
      constraint island_events_pk primary key (island_key, at_ms)
    ) ${storedByKey}`,
    // Finds old rows.
    'create index island_events_by_time on island_events (at_ms)',
    `create table island_alert_queue (
      sequence ${generatedKey},
      island_key integer not null references islands (key) on delete cascade,
      at_ms bigint not null,
      kind text not null,
      last_user_key integer not null
    )`,
    'create index island_alert_queue_by_island on island_alert_queue (island_key)',
    `create table island_visible_since (
      island_key integer primary key references islands (key) on delete cascade,
      members_ms bigint,
      users_ms bigint,
      everybody_ms bigint
    )`,
  ])
}

/** How visitors enter relayed islands, and whether those are open. */
export async function createRelay(db: Kysely<unknown>): Promise<void> {
  const { bytes } = columnTypes(db)
  await runStatements(db, [
    `create table relay_tickets (
      ticket_hash ${bytes} primary key,
      state_hash ${bytes} not null,
      island_key integer not null references islands (key) on delete cascade,
      session_hash ${bytes} not null references sessions (token_hash) on delete cascade,
      expires_ms bigint not null
    )`,
    'create index relay_tickets_by_island on relay_tickets (island_key)',
    'create index relay_tickets_by_session on relay_tickets (session_hash)',
    `create table relay_grants (
      grant_hash ${bytes} primary key,
      island_key integer not null references islands (key) on delete cascade,
      session_hash ${bytes} not null references sessions (token_hash) on delete cascade,
      started_ms bigint not null
    )`,
    'create index relay_grants_by_island on relay_grants (island_key)',
    'create index relay_grants_by_session on relay_grants (session_hash)',
    `create table relay_answers (
      user_key integer not null references users (key) on delete cascade,
      island_key integer not null references islands (key) on delete cascade,
      visitor_id text not null unique,
      shares_name integer,
      answered_ms bigint not null,
      constraint relay_answers_key primary key (user_key, island_key)
    )`,
    'create index relay_answers_by_island on relay_answers (island_key)',
    `create table relay_ports (
      port integer primary key,
      island_key integer unique references islands (key) on delete set null,
      freed_ms bigint
    )`,
    `create table relay_addresses (
      island_key integer not null references islands (key) on delete cascade,
      user_key integer not null references users (key) on delete cascade,
      address_hash ${bytes} not null,
      seen_ms bigint not null,
      constraint relay_addresses_pk primary key (island_key, address_hash, user_key)
    )`,
    'create index relay_addresses_by_user on relay_addresses (user_key, island_key, seen_ms)',
    'create index relay_addresses_by_time on relay_addresses (seen_ms)',
    `create table relay_openings (
      island_key integer primary key references islands (key) on delete cascade,
      is_open integer not null,
      since_ms bigint not null
    )`,
    'create index relay_openings_by_time on relay_openings (since_ms, island_key)',
  ])
}
