import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { isLockedBefore, lockDataDir, type DataDirLock } from './data-dir-lock.ts'
import { migrate, type MigrationProgress } from './migrations.ts'
import type { Schema } from './schema.ts'
import { DatabaseUnusable, StorageUnavailable } from './storage-error.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { newThreads, type SqliteThreads } from './sqlite-thread.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { sqliteUnusable } from './sqlite-unusable.ts'
import type { StorageLoad } from './storage-load.ts'
import { refuseUnfinishedCopy } from './unfinished-copy.ts'

export interface SqliteStorage {
  readonly kind: 'sqlite'
  readonly db: Kysely<Schema>
  /** Reads that may take more than a millisecond: on a thread of their own, which writes never wait for. */
  readonly longReads: Kysely<Schema>
  /** What `db` goes through: for the few writes that come by the ten thousand. */
  readonly connection: SqliteConnection
  /** Resolves when the storage answers and keeps what is written; rejects when it does not. */
  readonly ping: () => Promise<void>
  readonly load: StorageLoad
  readonly close: () => Promise<void>
}

/** Where a data folder has its database. */
export function databasePath(dataDir: string): string {
  return join(dataDir, 'astropelago.sqlite')
}

/** The folder had a database once: an empty one in its place would look as if all had been lost. */
export class DatabaseMissing extends Error {
  constructor(dataDir: string) {
    super(
      `DATA_DIR: the database of ${dataDir} is gone; bring astropelago.sqlite back from a backup, ` +
        'or remove server.lock there to begin with an empty one',
    )
  }
}

interface SqliteStorageOptions {
  readonly dataDir: string
  /** Called when the storage is lost for good; the process has to end. */
  readonly onFatal: (error: Error) => void
  /** Told of each migration as it is done. */
  readonly onMigration?: (migration: MigrationProgress) => void
  /** New ones by default. */
  readonly threads?: SqliteThreads
}

/**
 * Opens the data folder's SQLite file, making both where they are missing, and migrates it.
 * @throws DataDirLocked when another server holds the folder, DatabaseMissing when its file is gone,
 * DatabaseUnusable when it or its disk are in no state for it
 */
export async function openSqliteStorage({
  dataDir,
  onFatal,
  onMigration,
  threads = newThreads,
}: SqliteStorageOptions): Promise<SqliteStorage> {
  const path = databasePath(dataDir)
  let lock: DataDirLock | undefined
  try {
    makeDataDir(dataDir)
    const hadServer = isLockedBefore(dataDir)
    lock = lockDataDir(dataDir)
    if (hadServer) refuseMissing(dataDir, path)
    const connection = await SqliteConnection.open(path, onFatal, { threads })
    const db = await openDatabase(connection, onMigration)
    const reads = openLongReads(path, onFatal, threads)
    return {
      kind: 'sqlite',
      db,
      longReads: reads.db,
      connection,
      ping: async () => {
        await sql`select 1`.execute(db)
        if (connection.isCutOff) throw new StorageUnavailable('the last write failed')
      },
      load: {
        waiting: () => ({ ...connection.load.waiting(), reads: reads.waiting() }),
        failures: connection.load.failures,
      },
      close: async () => {
        try {
          // First, since the log is not emptied while somebody reads from it.
          await reads.db.destroy()
          await db.destroy()
        } finally {
          lock?.release()
        }
      },
    }
  } catch (error) {
    lock?.release()
    throw sqliteUnusable(error, path)
  }
}

/**
 * Makes a folder that nobody else on the machine reads, and those above it. Node's own way through all of a path never
 * ends where the system makes no folder, as in /proc.
 */
export function makeDataDir(path: string): void {
  if (existsSync(path)) return
  makeDataDir(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

/** @throws DatabaseMissing, DatabaseUnusable */
function refuseMissing(dataDir: string, path: string): void {
  if (!existsSync(path)) throw new DatabaseMissing(dataDir)
  // SQLite takes that for a new database.
  if (statSync(path).size > 0) return
  throw new DatabaseUnusable(
    `DATA_DIR: ${path} is empty, though it held a database once; restore a backup in its place, ` +
      'or remove it and server.lock there to begin with an empty one',
  )
}

async function openDatabase(
  connection: SqliteConnection,
  onMigration: SqliteStorageOptions['onMigration'],
): Promise<Kysely<Schema>> {
  const db = new Kysely<Schema>({ dialect: sqliteDialect(async () => connection) })
  try {
    await refuseUnfinishedCopy(db)
    await migrate(db, undefined, onMigration)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Its thread starts with the first read: most of what opens a storage has none. */
function openLongReads(path: string, onFatal: (error: Error) => void, threads: SqliteThreads) {
  let opened: SqliteConnection | undefined
  const dialect = sqliteDialect(async () => {
    opened = await SqliteConnection.open(path, onFatal, { isReadOnly: true, threads })
    return opened
  })
  return {
    db: new Kysely<Schema>({ dialect }),
    waiting: () => opened?.load.waiting().reads ?? 0,
  }
}

/** For a file that no server works on. */
export async function migrateSqlite(path: string): Promise<void> {
  const connection = await SqliteConnection.open(path, () => undefined)
  const db = new Kysely<Schema>({ dialect: sqliteDialect(async () => connection) })
  try {
    await migrate(db)
  } finally {
    await db.destroy()
  }
}
