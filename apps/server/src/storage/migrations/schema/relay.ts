import type { Kysely } from 'kysely'
import { columnTypes, runStatements } from '../../column-types.ts'

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
