import type { Kysely } from 'kysely'
import { columnTypes, runStatements } from '../../database-kind.ts'

/** Alert rules, alerts that are due, messages and their deliveries, channels and status pages. */
export async function createAlerts(db: Kysely<unknown>): Promise<void> {
  const { generatedKey, bytes, roomForUpdates } = columnTypes(db)
  await runStatements(db, [
    `create table alert_channels (
      key ${generatedKey},
      id text not null unique,
      user_key integer not null references users (key) on delete cascade,
      kind text not null,
      name text not null,
      settings text not null,
      revision integer not null,
      secret text,
      unsubscribe_code text unique,
      confirmed_ms bigint,
      code_hash ${bytes} unique,
      code_expires_ms bigint,
      ended_ms bigint,
      created_ms bigint not null,
      answer_ms bigint,
      answer_is_ok integer,
      answer_text text,
      failing_ms bigint
    )`,
    'create index alert_channels_by_user on alert_channels (user_key, key)',
    `create table push_keys (
      key integer primary key,
      public_key text not null,
      private_key text not null
    )`,
    `create table alert_rules (
      user_key integer primary key references users (key) on delete cascade,
      rules text not null
    )`,
    `create table alert_subject_rules (
      user_key integer not null references users (key) on delete cascade,
      subject text not null,
      subject_key integer not null,
      ${ownerOfSubject},
      rules text not null,
      constraint alert_subject_rules_pk primary key (user_key, subject, subject_key)
    )`,
    ...indexesBySubject('alert_subject_rules'),
    `create table alert_maintenance (
      id text primary key,
      user_key integer not null references users (key) on delete cascade,
      from_ms bigint not null,
      until_ms bigint not null,
      scope text not null,
      note text
    )`,
    'create index alert_maintenance_by_user on alert_maintenance (user_key, until_ms)',
    `create table alert_cursors (
      source text primary key,
      position bigint not null
    )`,
    `insert into alert_cursors (source, position) values ('warnings', 0)`,
    `create table alert_items (
      user_key integer not null references users (key) on delete cascade,
      subject text not null,
      subject_key integer not null,
      ${ownerOfSubject},
      is_over integer not null,
      since_ms bigint not null,
      ended_ms bigint,
      times integer not null,
      alerted_ms bigint,
      constraint alert_items_pk primary key (user_key, subject, subject_key, is_over)
    )`,
    ...indexesBySubject('alert_items'),
    `create table alert_turns (
      user_key integer primary key references users (key) on delete cascade,
      due_ms bigint,
      alerted_ms bigint
    ) ${roomForUpdates(50)}`,
    'create index alert_turns_by_due on alert_turns (due_ms) where due_ms is not null',
    `create table alert_messages (
      key ${generatedKey},
      id text not null unique,
      user_key integer not null references users (key) on delete cascade,
      at_ms bigint not null,
      message text not null
    )`,
    'create index alert_messages_by_user on alert_messages (user_key, at_ms, id)',
  ])
  await createDeliveries(db)
  await runStatements(db, [
    `create table alert_pause (
      key integer primary key check (key = 1),
      since_ms bigint not null
    )`,
    `create table status_pages (
      user_key integer primary key references users (key) on delete cascade,
      settings text not null
    )`,
  ])
}

export async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await runStatements(db, [
    // The user is the message's, for the index. The channel is as it was, because it may be gone by now.
    `create table alert_deliveries (
      message_key integer not null references alert_messages (key) on delete cascade,
      user_key integer not null,
      channel_key integer not null,
      channel_id text not null,
      channel_kind text not null,
      channel_name text not null,
      state text not null,
      tries integer not null,
      tried_ms bigint,
      next_ms bigint,
      answer text,
      constraint alert_deliveries_pk primary key (message_key, channel_key)
    )`,
    // Finds each user's first deliveries without reading the others.
    `create index alert_deliveries_due on alert_deliveries (user_key, next_ms, message_key, channel_key)
     where next_ms is not null`,
  ])
}

/** One of the two is the subject's key, so that a row is deleted with its device or island. */
const ownerOfSubject = `
  device_key integer references devices (key) on delete cascade,
  island_key integer references islands (key) on delete cascade`

/** Finds the rows of a device or an island that is deleted. */
function indexesBySubject(table: string): string[] {
  return ['device', 'island'].map(
    (subject) =>
      `create index ${table}_by_${subject} on ${table} (${subject}_key, user_key)
       where ${subject}_key is not null`,
  )
}
