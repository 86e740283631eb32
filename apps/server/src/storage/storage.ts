import { stat } from 'node:fs/promises'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { PostgresStorage } from './postgres-storage.ts'
import type { Schema } from './schema.ts'
import {
  databasePath,
  openSqliteStorage,
  type SqliteStorage,
  type SqliteStorageOptions,
} from './sqlite-storage.ts'

export type Database = Kysely<Schema>

export type DatabaseTransaction = Transaction<Schema>

export type Storage = SqliteStorage | PostgresStorage

export type RecordingStorage = Pick<Storage, 'db' | 'changes'>

export type BulkStorage = Pick<Storage, 'db' | 'changes' | 'longReads' | 'writeUnsynced'>

/** @throws DataDirLocked, DatabaseMissing, DatabaseUnreachable, DatabaseUnusable */
export async function openStorage({
  dataDir,
  databaseUrl,
  ...rest
}: Omit<SqliteStorageOptions, 'threads'> & {
  /** The address of a PostgreSQL database; without one, a SQLite file in the data folder. */
  readonly databaseUrl?: string | undefined
}): Promise<Storage> {
  if (databaseUrl === undefined) return await openSqliteStorage({ dataDir, ...rest })
  const { openPostgresStorage } = await import('./postgres-storage.ts')
  return await openPostgresStorage({ databaseUrl, ...rest })
}

export async function databaseBytes(
  { kind, db }: Pick<Storage, 'kind' | 'db'>,
  dataDir: string,
): Promise<number> {
  if (kind === 'postgres') {
    const { rows } = await sql<{ bytes: string }>`
      select pg_database_size(current_database()) as bytes`.execute(db)
    return Number(rows[0]?.bytes)
  }
  const path = databasePath(dataDir)
  const sizes = await Promise.all(
    [path, `${path}-wal`].map(async (file) => (await stat(file).catch(() => undefined))?.size ?? 0),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
