import type { Kysely } from 'kysely'
import { columnTypes, runStatements } from '../../column-types.ts'

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
