import type { Kysely } from 'kysely'
import { columnTypes, runStatements } from '../database-kind.ts'

/** Pages that the installation hosts for islands. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { generatedKey, codePointText, bytes } = columnTypes(db)
  await runStatements(db, [
    'alter table islands add column is_hosted integer not null default 0',
    `create table page_deployments (
      key ${generatedKey},
      id text not null unique,
      island_key integer not null references islands (key) on delete cascade,
      state text not null check (state in ('pending', 'draft', 'published')),
      is_live integer not null,
      source text not null check (source in ('upload', 'editor', 'template')),
      created_ms bigint not null,
      changed_ms bigint not null,
      file_count integer not null,
      bytes bigint not null,
      stored_bytes bigint not null,
      suspicion text check (suspicion in ('password', 'name')),
      passed_ms bigint
    )`,
    'create index page_deployments_by_island on page_deployments (island_key, key)',
    'create unique index page_deployments_live on page_deployments (island_key) where is_live = 1',
    `create unique index page_deployments_draft on page_deployments (island_key)
     where state = 'draft'`,
    `create index page_deployments_in_review on page_deployments (key)
     where suspicion is not null and passed_ms is null and state = 'published'`,
    `create index page_deployments_pending on page_deployments (changed_ms) where state = 'pending'`,
    `create table page_files (
      deployment_key integer not null references page_deployments (key) on delete cascade,
      path ${codePointText} not null,
      content_hash ${bytes} not null,
      bytes bigint not null,
      gzip_bytes bigint,
      blocked text,
      suspicion text check (suspicion in ('password', 'name')),
      constraint page_files_pk primary key (deployment_key, path)
    )`,
    `create table page_chunks (
      island_key integer not null,
      content_hash ${bytes} not null,
      is_gzip integer not null,
      position integer not null,
      data ${bytes} not null,
      constraint page_chunks_pk primary key (island_key, content_hash, is_gzip, position)
    )`,
    // For the search of contents that no file has any more.
    'create index page_files_by_content on page_files (content_hash)',
    `create table page_previews (
      token_hash ${bytes} primary key,
      is_ticket integer not null,
      island_key integer not null references islands (key) on delete cascade,
      deployment_key integer references page_deployments (key) on delete cascade,
      session_hash ${bytes} not null references sessions (token_hash) on delete cascade,
      expires_ms bigint not null
    )`,
    'create index page_previews_by_island on page_previews (island_key)',
    'create index page_previews_by_deployment on page_previews (deployment_key)',
    'create index page_previews_by_session on page_previews (session_hash)',
    'create index page_previews_by_end on page_previews (expires_ms)',
  ])
}
