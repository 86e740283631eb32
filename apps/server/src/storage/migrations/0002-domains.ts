import type { Kysely } from 'kysely'
import { columnTypes, runStatements } from '../database-kind.ts'

/** Domains of their own that islands have, and the host names that tickets and grants are for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { codePointText } = columnTypes(db)
  await runStatements(db, [
    `create table relay_domains (
      island_key integer primary key references islands (key) on delete cascade,
      domain ${codePointText} not null,
      code text not null,
      is_in_logs integer not null,
      claimed_ms bigint not null,
      proven_ms bigint,
      checked_ms bigint,
      missing_ms bigint,
      unanswered_ms bigint,
      lost_ms bigint,
      lost_reason text check (lost_reason in ('missing', 'unanswered', 'taken')),
      alerted_ms bigint
    )`,
    // Claims without a proof reserve nothing.
    'create unique index relay_domains_proven on relay_domains (domain) where proven_ms is not null',
    'create index relay_domains_by_check on relay_domains (checked_ms) where proven_ms is not null',
    `create index relay_domains_to_alert on relay_domains (lost_ms)
     where lost_ms is not null and alerted_ms is null`,
    `create table relay_domain_certificates (
      domain ${codePointText} primary key,
      user_key integer references users (key) on delete set null,
      certified_ms bigint not null
    )`,
    'create index relay_domain_certificates_by_user on relay_domain_certificates (user_key)',
    'alter table relay_tickets add column host_name text',
    'alter table relay_grants add column host_name text',
  ])
}
