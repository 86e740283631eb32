import type { Kysely } from 'kysely'
import { runStatements } from '../database-kind.ts'

/** Devices that look for their own owners' checks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runStatements(db, [
    `alter table checks add column device_id text
     constraint checks_device_private
     check (device_id is null or (public_ms is null and island_key is null))`,
  ])
}
