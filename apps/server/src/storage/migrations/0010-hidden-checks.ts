import type { Kysely } from 'kysely'
import { runStatements } from '../database-kind.ts'

/** Operators hide public checks from everybody but their owners. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runStatements(db, [
    'alter table checks add column hidden_ms bigint',
    'alter table checks add column hidden_reason text',
  ])
}
