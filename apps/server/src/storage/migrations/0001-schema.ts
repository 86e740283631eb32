import type { Kysely } from 'kysely'
import { isPostgres } from '../database-kind.ts'
import { createAccounts, createOperations, createSpark } from './schema/accounts.ts'
import { createAlerts } from './schema/alerts.ts'
import { createDevices } from './schema/devices.ts'
import { createInstances } from './schema/instances.ts'
import { createIslands, createRelay } from './schema/islands.ts'
import { createSearchIndex } from './schema/search-index.ts'

/** Everything that an empty database gets. The types of the tables say what their columns mean. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAccounts(db)
  await createDevices(db)
  await createSpark(db)
  await createOperations(db)
  await createIslands(db)
  await createRelay(db)
  await createAlerts(db)
  await createSearchIndex(db)
  if (isPostgres(db)) await createInstances(db)
}
