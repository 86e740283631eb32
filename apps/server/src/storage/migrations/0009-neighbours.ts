import type { Kysely } from 'kysely'
import { columnTypes, runStatements } from '../database-kind.ts'
import { createNeighbourSearchIndex } from './schema/search-index.ts'

/** What this installation shares, whom it follows, and what came from there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { generatedKey, bytes, codePointText, roomForUpdates } = columnTypes(db)
  await runStatements(db, [
    'alter table devices add column is_shared integer not null default 0',
    'alter table islands add column is_shared integer not null default 0',
    `create table installation (
      key integer primary key check (key = 1),
      private_key ${bytes} not null,
      key_number integer not null,
      key_changes text not null,
      epoch bigint not null,
      feed_epoch text
    )`,
    `create table followers (
      address text primary key,
      public_key text not null,
      is_verified integer not null,
      first_ms bigint not null,
      last_ms bigint not null,
      asked_ms bigint
    )`,
    `create table neighbours (
      key ${generatedKey},
      id text not null unique,
      address text not null unique,
      name text not null,
      colour integer not null,
      state text not null check (state in ('following', 'held', 'blocked')),
      note text,
      public_key text not null,
      key_number integer not null,
      unknown_key text,
      epoch bigint,
      number bigint,
      snapshot integer not null,
      contact_ms bigint,
      added_ms bigint not null
    )`,
    `create table neighbour_devices (
      key ${generatedKey},
      neighbour_key integer not null references neighbours (key) on delete cascade,
      id text not null,
      label text not null,
      lat double precision not null,
      lon double precision not null,
      status text not null check (status in ('unknown', 'online', 'offline')),
      snapshot integer not null,
      constraint neighbour_devices_id unique (neighbour_key, id)
    ) ${roomForUpdates(80)}`,
    `create table neighbour_islands (
      key ${generatedKey},
      neighbour_key integer not null references neighbours (key) on delete cascade,
      id text not null,
      slug text not null,
      name ${codePointText} not null,
      kind text not null check (kind in ('social', 'media', 'lab')),
      picture integer not null,
      tagline text not null,
      access text not null check (access in ('public', 'members', 'invited')),
      is_open integer not null,
      device_id text,
      snapshot integer not null,
      constraint neighbour_islands_id unique (neighbour_key, id)
    )`,
    'create index neighbour_islands_by_order on neighbour_islands (is_open, key)',
    `create table hidden_of_neighbours (
      neighbour_key integer not null references neighbours (key) on delete cascade,
      kind text not null check (kind in ('device', 'island')),
      id text not null,
      constraint hidden_of_neighbours_pk primary key (neighbour_key, kind, id)
    )`,
  ])
  await createNeighbourSearchIndex(db)
}
