import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { isPostgres } from './database-kind.ts'
import * as accounts from './migrations/0001-accounts.ts'
import * as devices from './migrations/0002-devices.ts'
import * as presence from './migrations/0003-presence.ts'
import * as spark from './migrations/0004-spark.ts'
import * as heartbeatJournal from './migrations/0005-heartbeat-journal.ts'
import * as flipOutbox from './migrations/0006-flip-outbox.ts'
import * as publicDetails from './migrations/0007-public-details.ts'
import * as instances from './migrations/0008-instances.ts'
import * as auditLog from './migrations/0009-audit-log.ts'
import * as accountCare from './migrations/0010-account-care.ts'
import * as reports from './migrations/0011-reports.ts'
import * as apiKeys from './migrations/0012-api-keys.ts'
import * as islands from './migrations/0013-islands.ts'
import * as islandJournal from './migrations/0014-island-journal.ts'
import * as search from './migrations/0015-search.ts'
import * as relay from './migrations/0016-relay.ts'
import * as relayDoors from './migrations/0017-relay-doors.ts'
import * as relayOperators from './migrations/0018-relay-operators.ts'
import * as relayPorts from './migrations/0019-relay-ports.ts'
import * as relayLeases from './migrations/0020-relay-leases.ts'
import * as relayOpenings from './migrations/0021-relay-openings.ts'
import * as history from './migrations/0022-history.ts'
import * as islandHistory from './migrations/0023-island-history.ts'
import * as deviceReports from './migrations/0025-device-reports.ts'
import * as alertChannels from './migrations/0027-alert-channels.ts'
import * as alerts from './migrations/0028-alerts.ts'
import * as statusPages from './migrations/0029-status-pages.ts'
import * as shallowTriggers from './migrations/0030-shallow-triggers.ts'
import * as avatars from './migrations/0031-avatars.ts'
import * as hostsWords from './migrations/0032-hosts-words.ts'
import * as allLogs from './migrations/0033-all-logs.ts'
import * as islandPictures from './migrations/0035-island-pictures.ts'
import { DatabaseUnusable } from './storage-error.ts'

/** In order. A released migration never changes. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts': accounts,
  '0002-devices': devices,
  '0003-presence': presence,
  '0004-spark': spark,
  '0005-heartbeat-journal': heartbeatJournal,
  '0006-flip-outbox': flipOutbox,
  '0007-public-details': publicDetails,
  '0008-instances': instances,
  '0009-audit-log': auditLog,
  '0010-account-care': accountCare,
  '0011-reports': reports,
  '0012-api-keys': apiKeys,
  '0013-islands': islands,
  '0014-island-journal': islandJournal,
  '0015-search': search,
  '0016-relay': relay,
  '0017-relay-doors': relayDoors,
  '0018-relay-operators': relayOperators,
  '0019-relay-ports': relayPorts,
  '0020-relay-leases': relayLeases,
  '0021-relay-openings': relayOpenings,
  '0022-history': history,
  '0023-island-history': islandHistory,
  '0025-device-reports': deviceReports,
  '0027-alert-channels': alertChannels,
  '0028-alerts': alerts,
  '0029-status-pages': statusPages,
  '0030-shallow-triggers': shallowTriggers,
  '0031-avatars': avatars,
  '0032-hosts-words': hostsWords,
  '0033-all-logs': allLogs,
  '0035-island-pictures': islandPictures,
}

export interface MigrationProgress {
  readonly name: string
  /** How long it took; undefined when it begins. */
  readonly ms: number | undefined
}

/**
 * Brings the schema to this version. All pending migrations share one transaction: if one fails, the old
 * schema stays and the error is thrown.
 * @param onProgress called when each migration begins and when it is done. Not called for a new database
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  steps = migrations,
  onProgress?: (migration: MigrationProgress) => void,
): Promise<void> {
  const timed = onProgress === undefined ? steps : withTimes(steps, onProgress)
  if (!isPostgres(db)) {
    await run(db, timed)
    return
  }
  await db.transaction().execute(async (transaction) => {
    await lockMigrations(transaction)
    await run(transaction, timed)
  })
}

function withTimes(
  steps: typeof migrations,
  onProgress: (migration: MigrationProgress) => void,
): typeof migrations {
  const [first] = Object.keys(steps)
  let isNew = false
  const timed = Object.entries(steps).map(([name, step]) => {
    const up: Migration['up'] = async (db) => {
      if (name === first) isNew = true
      if (!isNew) onProgress({ name, ms: undefined })
      const startMs = performance.now()
      await step.up(db)
      if (!isNew) onProgress({ name, ms: Math.round(performance.now() - startMs) })
    }
    return [name, { ...step, up }] as const
  })
  return Object.fromEntries(timed)
}

const migrationLock = 0x61_73_74_72_6f

/** Held until the end of the transaction, which has no time limits, whatever the database's settings. */
async function lockMigrations<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    select set_config(name, '0', true)
    from unnest(array[
      'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'
    ]) as name`.execute(db)
  await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(db)
}

/** Whether no migration is pending. For PostgreSQL: two queries instead of the many that Kysely makes. */
export async function isMigrated<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const table = await sql<{ is_there: boolean }>`
    select to_regclass('kysely_migration') is not null as is_there`.execute(db)
  if (table.rows[0]?.is_there !== true) return false
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const names = new Set(rows.map(({ name }) => name))
  const known = Object.keys(migrations)
  return names.size === known.length && known.every((name) => names.has(name))
}

async function run<Tables>(db: Kysely<Tables>, steps: typeof migrations): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => steps } })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  if (error instanceof DatabaseUnusable) throw error
  const failed = results?.find((result) => result.status === 'Error')
  if (failed !== undefined) {
    const message = `Migration ${failed.migrationName} failed; the data is as it was`
    throw new Error(message, { cause: error })
  }
  const newer = await unknownMigrations(db, steps)
  if (newer.length === 0) throw error
  throw new DatabaseUnusable(
    `The database is of a newer version of Astropelago (${newer.join(', ')}), which this one can’t ` +
      'use: start that version, or restore a backup from before it',
    { cause: error },
  )
}

async function unknownMigrations<Tables>(
  db: Kysely<Tables>,
  steps: typeof migrations,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name).filter((name) => !(name in steps))
}
