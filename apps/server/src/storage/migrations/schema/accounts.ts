import type { Kysely } from 'kysely'
import { columnTypes, runStatements } from '../../database-kind.ts'

/** Users, what they sign in with, and what they invite others with. */
export async function createAccounts(db: Kysely<unknown>): Promise<void> {
  const { generatedKey, bytes, roomForUpdates } = columnTypes(db)
  await runStatements(db, [
    `create table users (
      key ${generatedKey},
      username text not null,
      username_folded text not null unique,
      password_hash text,
      name text,
      avatar text,
      hue integer,
      email text,
      is_name_public integer not null default 0,
      is_demo integer not null,
      created_ms bigint not null,
      expires_ms bigint,
      disabled_ms bigint,
      relay_stopped_ms bigint,
      relay_stopped_reason text,
      relay_trusted_ms bigint
    )`,
    'create index users_by_expiry on users (expires_ms) where expires_ms is not null',
    'create index users_by_email on users (lower(email)) where email is not null',
    // There are few, so queries for public data can exclude them at almost no cost.
    'create index users_disabled on users (key) where disabled_ms is not null',
  ])
  await createAvatars(db)
  await runStatements(db, [
    `create table sessions (
      token_hash ${bytes} primary key,
      id text not null default '',
      user_key integer not null references users (key) on delete cascade,
      device text,
      address_family integer,
      created_ms bigint not null,
      last_used_ms bigint not null
    ) ${roomForUpdates(90)}`,
    'create index sessions_by_user on sessions (user_key)',
    'create unique index sessions_by_id on sessions (id)',
    `create table one_time_codes (
      key ${generatedKey},
      code_hash ${bytes} not null unique,
      user_key integer not null references users (key) on delete cascade,
      purpose text not null check (purpose in ('password', 'email')),
      email text,
      expires_ms bigint not null
    )`,
    'create index one_time_codes_by_user on one_time_codes (user_key, purpose)',
    `create table invites (
      key ${generatedKey},
      id text not null unique,
      code_hash ${bytes} not null unique,
      note text,
      max_uses integer not null,
      uses integer not null default 0,
      created_by text not null,
      created_ms bigint not null,
      expires_ms bigint not null
    )`,
    `create table api_keys (
      key ${generatedKey},
      id text not null unique,
      user_key integer not null references users (key) on delete cascade,
      key_hash ${bytes} not null unique,
      start text not null,
      name text not null,
      scopes text not null,
      created_ms bigint not null,
      last_used_ms bigint,
      expires_ms bigint
    )`,
    'create index api_keys_by_user on api_keys (user_key)',
  ])
}

/** Also for databases of dfe8154, which have no pictures. */
export async function createAvatars(db: Kysely<unknown>): Promise<void> {
  const { bytes } = columnTypes(db)
  await runStatements(db, [
    `create table avatars (
      user_key integer primary key references users (key) on delete cascade,
      name text not null unique,
      salt ${bytes} not null,
      image ${bytes} not null
    )`,
  ])
}

/** What the platform runtime stores. */
export async function createSpark(db: Kysely<unknown>): Promise<void> {
  const { codePointText, roomForUpdates } = columnTypes(db)
  await runStatements(db, [
    `create table key_values (
      user_key integer not null references users (key) on delete cascade,
      collection ${codePointText} not null,
      name ${codePointText} not null,
      value text not null,
      bytes integer not null,
      constraint key_values_pk primary key (user_key, collection, name)
    ) ${roomForUpdates(85)}`,
    // Each write sums up how much a user has stored. The index alone answers that, without the values.
    'create index key_values_usage on key_values (user_key, bytes)',
    `create table llm_usage (
      user_key integer not null references users (key) on delete cascade,
      day ${codePointText} not null,
      calls integer not null,
      tokens integer not null,
      constraint llm_usage_pk primary key (user_key, day)
    ) ${roomForUpdates(85)}`,
  ])
}

/** What operators read and write. */
export async function createOperations(db: Kysely<unknown>): Promise<void> {
  const { generatedKey, longGeneratedKey } = columnTypes(db)
  await runStatements(db, [
    // The subject is no reference: the record stays when the user or the device is gone.
    `create table audit_log (
      key ${longGeneratedKey},
      at_ms bigint not null,
      actor text not null,
      action text not null,
      subject text,
      details text,
      outcome text not null check (outcome in ('begun', 'done', 'refused')),
      code text
    )`,
    'create index audit_log_subject on audit_log (subject)',
    'create index audit_log_actor on audit_log (actor)',
    // A report stays when its reporter is gone.
    `create table reports (
      key ${generatedKey},
      id text not null unique,
      kind text not null,
      subject_id text not null,
      reporter_key integer references users (key) on delete set null,
      reason text not null,
      text text not null,
      seen_name text not null,
      seen_link text,
      seen_author text not null,
      created_ms bigint not null,
      outcome text check (outcome in ('hidden', 'dismissed')),
      settled_ms bigint
    )`,
    `create unique index reports_open_once on reports (kind, subject_id, reporter_key)
     where outcome is null`,
    'create index reports_by_reporter on reports (reporter_key, created_ms)',
    'create index reports_by_settled on reports (settled_ms)',
    `create table announcements (
      key ${generatedKey},
      id text not null unique,
      level text not null check (level in ('news', 'warning')),
      title text not null,
      text text not null,
      starts_ms bigint not null,
      ends_ms bigint
    )`,
  ])
}
