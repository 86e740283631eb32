import type { Kysely } from 'kysely'
import { runStatements } from '../database-kind.ts'

/** How often devices report, and how their runs went. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runStatements(db, [
    'alter table devices add column schedule text',
    'create index devices_with_schedule on devices (key) where schedule is not null',
    'alter table device_reports add column exit_code bigint',
    'alter table device_reports add column started_ms bigint',
    'alter table device_reports add column duration_ms bigint',
  ])
}
