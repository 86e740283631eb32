import type { Kysely, Transaction } from 'kysely'
import type { MigrationProgress } from './migrations.ts'
import type { PostgresStorage } from './postgres-storage.ts'
import type { Schema } from './schema.ts'
import { openSqliteStorage, type SqliteStorage } from './sqlite-storage.ts'

export type Database = Kysely<Schema>

export type DatabaseTransaction = Transaction<Schema>

export type Storage = SqliteStorage | PostgresStorage

/** For stores that write what others keep in memory. */
export type RecordingStorage = Pick<Storage, 'db' | 'changes'>

interface StorageOptions {
  readonly dataDir: string
  /** The address of a PostgreSQL database; without one, a SQLite file in the data folder. */
  readonly databaseUrl?: string | undefined
  /** Called when the storage is lost for good. The process has to end. */
  readonly onFatal: (error: Error) => void
  /** Called when each migration begins and when it is done. */
  readonly onMigration?: (migration: MigrationProgress) => void
}

/**
 * Opens the database and migrates it.
 * @throws DataDirLocked if another server has it, DatabaseMissing if its file is gone, DatabaseUnreachable
 * if it does not answer
 */
export async function openStorage({
  dataDir,
  databaseUrl,
  ...rest
}: StorageOptions): Promise<Storage> {
  if (databaseUrl === undefined) return await openSqliteStorage({ dataDir, ...rest })
  // Loaded only when needed.
  const { openPostgresStorage } = await import('./postgres-storage.ts')
  return await openPostgresStorage({ databaseUrl, ...rest })
}
