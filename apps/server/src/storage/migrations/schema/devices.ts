import type { Kysely } from 'kysely'
import { columnTypes, isPostgres, runStatements } from '../../database-kind.ts'

/** Devices, their tokens, and what the server knows of their liveness. */
export async function createDevices(db: Kysely<unknown>): Promise<void> {
  await createDevicesAndTokens(db)
  await createPresence(db)
  await createReportsAndDays(db)
}

async function createDevicesAndTokens(db: Kysely<unknown>): Promise<void> {
  const { generatedKey, bytes, roomForUpdates } = columnTypes(db)
  await runStatements(db, [
    `create table devices (
      key ${generatedKey},
      id text not null unique,
      user_key integer not null references users (key) on delete cascade,
      label text not null,
      lat double precision not null check (lat between -90 and 90),
      lon double precision not null check (lon between -180 and 180),
      link text,
      visibility text not null check (visibility in ('public', 'private')),
      precision text not null default 'exact' check (precision in ('exact', 'km1', 'km10')),
      public_since_ms bigint,
      created_ms bigint not null,
      hidden_ms bigint,
      hidden_reason text
    )`,
    'create index devices_by_user on devices (user_key)',
    `create table device_tokens (
      key ${generatedKey},
      id text not null unique,
      device_key integer not null references devices (key) on delete cascade,
      token_hash ${bytes} not null unique,
      start text not null,
      label text,
      scope text not null default 'report' check (scope in ('report', 'relay')),
      created_ms bigint not null,
      last_used_ms bigint
    ) ${roomForUpdates(85)}`,
    'create index device_tokens_by_device on device_tokens (device_key)',
  ])
}

async function createPresence(db: Kysely<unknown>): Promise<void> {
  const { longGeneratedKey, bytes, roomForUpdates } = columnTypes(db)
  await runStatements(db, [
    `create table presence (
      device_key integer primary key references devices (key) on delete cascade,
      last_seen_ms bigint not null,
      is_online integer not null
    ) ${roomForUpdates(70)}`,
    `create table heartbeat_log (
      key ${isPostgres(db) ? longGeneratedKey : 'integer primary key'},
      at_ms bigint not null,
      device_keys ${bytes} not null
    )`,
    // Filled and emptied once a minute, so it is vacuumed each time. Compressing such short-lived rows is
    // not worth it.
    ...(isPostgres(db)
      ? [
          `alter table heartbeat_log alter column device_keys set storage external,
             set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
        ]
      : []),
    `create table outages (
      from_ms bigint primary key,
      to_ms bigint not null
    )`,
    `create table unobserved (
      from_ms bigint not null,
      to_ms bigint not null,
      writer integer not null,
      constraint unobserved_pk primary key (from_ms, writer)
    )`,
    `create table alive_mark (
      key integer primary key check (key = 1),
      at_ms bigint not null
    ) ${roomForUpdates(10)}`,
    // SQLite has one writer. A value of 1 takes no space in its rows.
    `create table presence_events (
      sequence ${longGeneratedKey},
      writer integer not null default 1,
      device_key integer not null references devices (key) on delete cascade,
      status text not null check (status in ('online', 'offline')),
      at_ms bigint not null
    )`,
    'create index presence_events_by_device on presence_events (device_key, at_ms)',
    `create table presence_event_cursors (
      reader text not null,
      writer integer not null,
      sequence bigint not null,
      constraint presence_event_cursors_pk primary key (reader, writer)
    ) ${roomForUpdates(10)}`,
    `insert into presence_event_cursors (reader, writer, sequence)
     values ('log', 1, 0), ('alerts', 1, 0)`,
  ])
}

async function createReportsAndDays(db: Kysely<unknown>): Promise<void> {
  const { storedByKey } = columnTypes(db)
  await runStatements(db, [
    `create table device_reports (
      device_key integer primary key references devices (key) on delete cascade,
      at_ms bigint not null,
      status text not null,
      since_ms bigint not null,
      text text,
      change bigint unique
    )`,
    `create table warning_changes (
      key integer primary key check (key = 1),
      last bigint not null
    )`,
    'insert into warning_changes (key, last) values (1, 0)',
    `create table device_days (
      device_key integer not null references devices (key) on delete cascade,
      day integer not null,
      online_s integer not null,
      offline_s integer not null,
      unobserved_s integer not null,
      flips integer not null,
      is_online integer not null,
      since_ms bigint,
      constraint device_days_pk primary key (device_key, day)
    ) ${storedByKey}`,
    // Finds old rows.
    'create index device_days_by_day on device_days (day)',
  ])
}
