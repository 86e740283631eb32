import type { Kysely } from 'kysely'
import { columnTypes, runStatements } from '../database-kind.ts'

/** Checks, what they found, and alerts about them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { generatedKey, bytes, codePointText, roomForUpdates } = columnTypes(db)
  await runStatements(db, [
    `create table checks (
      key ${generatedKey},
      id text not null unique,
      user_key integer not null references users (key) on delete cascade,
      name ${codePointText} not null,
      target text not null,
      is_public integer not null,
      public_ms bigint,
      is_paused integer not null,
      island_key integer references islands (key) on delete set null,
      push_hash ${bytes} unique,
      source_id text,
      created_ms bigint not null,
      constraint checks_source unique (user_key, source_id)
    )`,
    'create index checks_by_user on checks (user_key, key)',
    'create index checks_by_island on checks (island_key) where island_key is not null',
    `create table check_states (
      check_key integer primary key references checks (key) on delete cascade,
      status text not null check (status in ('up', 'down', 'unobserved')),
      since_ms bigint not null,
      looked_ms bigint,
      started_ms bigint,
      due_ms bigint,
      took_ms integer,
      failures integer not null,
      note text
    ) ${roomForUpdates(50)}`,
    `create table check_events (
      check_key integer not null references checks (key) on delete cascade,
      at_ms bigint not null,
      kind text not null check (kind in ('up', 'down', 'unobserved')),
      note text,
      constraint check_events_pk primary key (check_key, at_ms)
    )`,
    'create index check_events_by_time on check_events (at_ms)',
    `create table check_samples (
      check_key integer not null references checks (key) on delete cascade,
      location_key integer not null,
      at_ms bigint not null,
      took_ms integer,
      constraint check_samples_pk primary key (check_key, location_key, at_ms)
    )`,
    'create index check_samples_by_time on check_samples (at_ms)',
    `create table check_days (
      check_key integer not null references checks (key) on delete cascade,
      location_key integer not null,
      day_ms bigint not null,
      p50_ms integer not null,
      p95_ms integer not null,
      constraint check_days_pk primary key (check_key, location_key, day_ms)
    )`,
    `create table check_alert_queue (
      sequence ${generatedKey},
      check_key integer not null references checks (key) on delete cascade,
      kind text not null check (kind in ('up', 'down', 'unobserved')),
      at_ms bigint not null
    )`,
    'create index check_alert_queue_by_check on check_alert_queue (check_key)',
    ...['alert_subject_rules', 'alert_items'].flatMap((table) => [
      `alter table ${table}
       add column check_key integer references checks (key) on delete cascade`,
      `create index ${table}_by_check on ${table} (check_key, user_key)
       where check_key is not null`,
    ]),
  ])
}
