import type { Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import * as accounts from './migrations/0001-accounts.ts'
import * as devices from './migrations/0002-devices.ts'
import * as presence from './migrations/0003-presence.ts'
import * as spark from './migrations/0004-spark.ts'
import * as heartbeatJournal from './migrations/0005-heartbeat-journal.ts'
import * as flipOutbox from './migrations/0006-flip-outbox.ts'
import * as publicDetails from './migrations/0007-public-details.ts'

/** In order; a released migration never changes. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts': accounts,
  '0002-devices': devices,
  '0003-presence': presence,
  '0004-spark': spark,
  '0005-heartbeat-journal': heartbeatJournal,
  '0006-flip-outbox': flipOutbox,
  '0007-public-details': publicDetails,
}

/**
 * Brings the schema to this version. All pending migrations share one transaction: when one fails,
 * the old schema stays and the error is thrown.
 */
export async function migrate<Tables>(db: Kysely<Tables>, steps = migrations): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => steps } })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const failed = results?.find((result) => result.status === 'Error')
  const message =
    failed === undefined
      ? 'This version can’t use the database'
      : `Migration ${failed.migrationName} failed`
  throw new Error(`${message}; the data is as it was`, { cause: error })
}
