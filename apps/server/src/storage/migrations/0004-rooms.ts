import type { Kysely } from 'kysely'
import { columnTypes, runStatements } from '../database-kind.ts'

/** What islands keep of their visitors by the platform runtime: values, rooms and their messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { generatedKey, codePointText } = columnTypes(db)
  await runStatements(db, [
    `create table island_values (
      island_key integer not null references islands (key) on delete cascade,
      store text not null check (store in ('kv', 'shared', 'host')),
      owner_key integer not null,
      name ${codePointText} not null,
      user_key integer not null references users (key) on delete cascade,
      author_id text not null,
      author_name text not null,
      value text not null,
      bytes integer not null,
      changed_ms bigint not null,
      constraint island_values_pk primary key (island_key, store, owner_key, name)
    )`,
    'create index island_values_by_user on island_values (user_key, island_key)',
    'create index island_values_sizes on island_values (island_key, user_key, bytes, changed_ms)',
    `create table rooms (
      key ${generatedKey},
      id text not null unique,
      island_key integer not null references islands (key) on delete cascade,
      name ${codePointText} not null,
      last_n integer not null,
      is_read_only integer not null,
      changed_ms bigint not null,
      constraint rooms_name unique (island_key, name)
    )`,
    `create table room_events (
      room_key integer not null references rooms (key) on delete cascade,
      n integer not null,
      at_ms bigint not null,
      kind text not null
        check (kind in ('message', 'delete', 'erase', 'mute', 'block', 'unmute', 'read-only')),
      user_key integer references users (key) on delete cascade,
      author_id text,
      author_name text,
      client_id text,
      value text,
      constraint room_events_pk primary key (room_key, n)
    )`,
    `create unique index room_events_by_client on room_events (room_key, client_id)
     where client_id is not null`,
    'create index room_events_by_user on room_events (user_key) where user_key is not null',
    `create table room_silences (
      island_key integer not null references islands (key) on delete cascade,
      user_key integer not null references users (key) on delete cascade,
      visitor_id text not null,
      name text not null,
      kind text not null check (kind in ('mute', 'block')),
      until_ms bigint,
      constraint room_silences_pk primary key (island_key, user_key)
    )`,
    'create index room_silences_by_user on room_silences (user_key)',
    `create table island_llm_budgets (
      island_key integer primary key references islands (key) on delete cascade,
      daily_tokens integer not null
    )`,
    `create table island_llm_usage (
      island_key integer not null references islands (key) on delete cascade,
      user_key integer not null references users (key) on delete cascade,
      day text not null,
      tokens integer not null,
      constraint island_llm_usage_pk primary key (island_key, day, user_key)
    )`,
    'create index island_llm_usage_by_user on island_llm_usage (user_key)',
  ])
}
