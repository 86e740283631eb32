import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { hasTable, isPostgres } from './database-kind.ts'
import * as schema from './migrations/0001-schema.ts'
import * as domains from './migrations/0002-domains.ts'
import * as hostedPages from './migrations/0003-hosted-pages.ts'
import * as rooms from './migrations/0004-rooms.ts'
import * as deviceSchedules from './migrations/0005-device-schedules.ts'
import * as checks from './migrations/0006-checks.ts'
import * as locations from './migrations/0007-locations.ts'
import * as ownDevices from './migrations/0008-own-devices.ts'
import * as neighbours from './migrations/0009-neighbours.ts'
import * as hiddenChecks from './migrations/0010-hidden-checks.ts'
import { fromDfe8154, levelsOfDfe8154 } from './migrations/from-dfe8154.ts'
import { DatabaseUnusable } from './storage-error.ts'

/** In order. A released migration never changes. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-schema': schema,
  '0002-domains': domains,
  '0003-hosted-pages': hostedPages,
  '0004-rooms': rooms,
  '0005-device-schedules': deviceSchedules,
  '0006-checks': checks,
  '0007-locations': locations,
  '0008-own-devices': ownDevices,
  '0009-neighbours': neighbours,
  '0010-hidden-checks': hiddenChecks,
}

/**
 * - `none`: no migration has ever run on the database
 * - `dfe8154`: of the last version before migrations began again, which this one upgrades
 * - `earlier`: of a version before that, which this one refuses
 * - `older`: some migrations of this version are pending
 * - `this`: of this version
 * - `newer`: of a later version, which this one refuses
 */
export type SchemaVersion = 'none' | 'dfe8154' | 'earlier' | 'older' | 'this' | 'newer'

export const earlierVersion =
  'The database is of an earlier version. Start Astropelago dfe8154 once, which upgrades it, then this one.'

export function schemaVersion(applied: ReadonlySet<string>, steps = migrations): SchemaVersion {
  const known = new Set(Object.keys(steps))
  if (applied.size === 0) return 'none'
  if (applied.isSubsetOf(known)) return applied.size < known.size ? 'older' : 'this'
  const ofDfe8154 = new Set(levelsOfDfe8154)
  if (!applied.isSubsetOf(ofDfe8154)) return 'newer'
  return applied.size < ofDfe8154.size ? 'earlier' : 'dfe8154'
}

export interface MigrationProgress {
  readonly name: string
  /** How long it took; undefined when it begins. */
  readonly ms: number | undefined
}

/**
 * In one transaction: if one fails, the old schema stays. @param onProgress not called for a new
 * database. @throws DatabaseUnusable if it can't be upgraded
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  steps = migrations,
  onProgress?: (migration: MigrationProgress) => void,
): Promise<void> {
  if (!isPostgres(db)) {
    await upgrade(db, steps, onProgress)
    return
  }
  await db.transaction().execute(async (transaction) => {
    await lockMigrations(transaction)
    await upgrade(transaction, steps, onProgress)
  })
}

async function upgrade<Tables>(
  db: Kysely<Tables>,
  steps: typeof migrations,
  onProgress: (migration: MigrationProgress) => void = () => undefined,
): Promise<void> {
  const applied = await appliedMigrations(db)
  const version = schemaVersion(applied, steps)
  if (version === 'earlier') throw new DatabaseUnusable(earlierVersion)
  if (version === 'newer') {
    const newer = [...applied].filter((name) => !Object.hasOwn(steps, name)).join(', ')
    throw new DatabaseUnusable(
      `The database is of a newer version of Astropelago (${newer}), which this one can’t ` +
        'use: start that version, or restore a backup from before it',
    )
  }
  const report = version === 'none' ? () => undefined : onProgress
  if (version === 'dfe8154') {
    const step = reporting('from-dfe8154', fromDfe8154, report)
    if (db.isTransaction) await step(db)
    else await db.transaction().execute(step)
  }
  const reported = Object.entries(steps).map(([name, step]) => [
    name,
    { ...step, up: reporting(name, (within) => step.up(within), report) },
  ])
  await run(db, Object.fromEntries(reported))
}

function reporting(
  name: string,
  step: Migration['up'],
  report: (migration: MigrationProgress) => void,
): Migration['up'] {
  return async (db) => {
    report({ name, ms: undefined })
    const startMs = performance.now()
    await step(db)
    report({ name, ms: Math.round(performance.now() - startMs) })
  }
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
  return schemaVersion(await appliedMigrations(db)) === 'this'
}

async function appliedMigrations<Tables>(db: Kysely<Tables>): Promise<ReadonlySet<string>> {
  if (!(await hasTable(db, 'kysely_migration'))) return new Set()
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

async function run<Tables>(db: Kysely<Tables>, steps: typeof migrations): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => steps } })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  if (error instanceof DatabaseUnusable) throw error
  const failed = results?.find((result) => result.status === 'Error')
  if (failed === undefined) throw error
  throw new Error(`Migration ${failed.migrationName} failed; the data is as it was`, {
    cause: error,
  })
}
