import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { isMigrated, migrate } from './migrations.ts'
import { LockingPostgresAdapter, postgresDialect } from './postgres-dialect.ts'
import {
  postgresSettings,
  timeLimits,
  unhurriedSettings,
  type TimeLimits,
} from './postgres-settings.ts'
import { PostgresWriter } from './postgres-writer.ts'
import type { Schema } from './schema.ts'
import { DatabaseUnreachable, StorageUnavailable } from './storage-error.ts'

/** Beside the one that writes. */
const maxReaders = 8

export interface PostgresStorage {
  readonly kind: 'postgres'
  readonly db: Kysely<Schema>
  /** Resolves when the storage answers and keeps what is written; rejects when it does not. */
  readonly ping: () => Promise<void>
  readonly close: () => Promise<void>
}

interface PostgresStorageOptions {
  readonly databaseUrl: string
  /** Called when another server has taken the database; the process has to end. */
  readonly onFatal: (error: Error) => void
  readonly limits?: TimeLimits
}

/**
 * Opens a PostgreSQL database and migrates it.
 * @throws DatabaseLocked when another server works on it, DatabaseUnreachable when it does not answer
 */
export async function openPostgresStorage({
  databaseUrl,
  onFatal,
  limits = timeLimits,
}: PostgresStorageOptions): Promise<PostgresStorage> {
  const settings = postgresSettings(databaseUrl, limits)
  const writer = await PostgresWriter.open({ settings, limits, onFatal }).catch(
    (error: unknown) => {
      throw error instanceof StorageUnavailable ? new DatabaseUnreachable(error) : error
    },
  )
  const readers = new Pool({ ...settings, max: maxReaders })
  // Whoever asks is told of what breaks meanwhile, and an idle connection is replaced by the next query.
  readers.on('error', () => undefined)
  readers.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Schema>({ dialect: postgresDialect(writer, readers) })
  try {
    if (!(await isMigrated(db))) await migratePostgres(databaseUrl)
    await writer.beginTerm()
  } catch (error) {
    await readers.end()
    await writer.close()
    throw error
  }
  return {
    kind: 'postgres',
    db,
    ping: async () => {
      await writer.use((session) => session.query('select 1'))
      if (writer.isCutOff) throw new StorageUnavailable('the last write failed')
    },
    close: async () => {
      await db.destroy()
      // Kysely leaves them alone where it never had a query.
      await writer.close()
    },
  }
}

/** Stock Kysely, but for its lock. */
export class MigratingDialect extends PostgresDialect {
  override createAdapter() {
    return new LockingPostgresAdapter()
  }
}

/** By a connection of its own, which may take its time. */
export async function migratePostgres(databaseUrl: string): Promise<void> {
  const pool = new Pool({ ...unhurriedSettings(databaseUrl), max: 1 })
  const db = new Kysely<Schema>({ dialect: new MigratingDialect({ pool }) })
  try {
    await migrate(db)
  } finally {
    await db.destroy()
  }
}
