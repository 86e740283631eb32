import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Kysely, sql, type CompiledQuery } from 'kysely'
import { ChangeLog } from './change-log.ts'
import { isLockedBefore, lockDataDir } from './data-dir-lock.ts'
import { migrate, type MigrationProgress } from './migrations.ts'
import type { Schema } from './schema.ts'
import { DatabaseUnusable, StorageUnavailable } from './storage-error.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { newThreads, type SqliteThreads } from './sqlite-thread.ts'
import { bindable, sqliteDialect } from './sqlite-dialect.ts'
import { sqliteUnusable } from './sqlite-unusable.ts'
import { refuseUnfinishedCopy } from './unfinished-copy.ts'

export type SqliteStorage = Awaited<ReturnType<typeof openSqliteStorage>>

export function databasePath(dataDir: string): string {
  return join(dataDir, 'astropelago.sqlite')
}

/** The folder had a database once. An empty one in its place would look as if all data were lost. */
export class DatabaseMissing extends Error {
  constructor(dataDir: string) {
    super(
      `DATA_DIR: the database of ${dataDir} is gone; bring astropelago.sqlite back from a backup, ` +
        'or remove server.lock there to begin with an empty one',
    )
  }
}

export interface SqliteStorageOptions {
  readonly dataDir: string
  readonly onFatal: (error: Error) => void
  readonly onMigration?: (migration: MigrationProgress) => void
  readonly threads?: SqliteThreads
}

/** @throws DataDirLocked, DatabaseMissing, DatabaseUnusable */
export async function openSqliteStorage({
  dataDir,
  onFatal,
  onMigration,
  threads = newThreads,
}: SqliteStorageOptions) {
  const path = databasePath(dataDir)
  let lock: ReturnType<typeof lockDataDir> | undefined
  try {
    makeDataDir(dataDir)
    const hadServer = isLockedBefore(dataDir)
    lock = lockDataDir(dataDir)
    if (hadServer) refuseMissing(dataDir, path)
    const connection = await SqliteConnection.open(path, onFatal, { threads })
    const db = await openDatabase(connection, onMigration)
    const reads = openLongReads(path, onFatal, threads)
    return {
      kind: 'sqlite' as const,
      db,
      /** For reads that may take more than a millisecond. They have their own thread: no write waits. */
      longReads: reads.db,
      changes: new ChangeLog(db),
      /** Durable only with the next ordinary write. For what is of no use before that. */
      writeUnsynced: async ({ sql: text, parameters }: CompiledQuery): Promise<void> => {
        const statement = { sql: text, parameters: parameters.map(bindable) }
        await connection.transaction([statement], { isUnsynced: true })
      },
      /** The connection behind `db`, for the few writes that come by the ten thousand. */
      connection,
      ping: async (): Promise<void> => {
        await sql`select 1`.execute(db)
        if (connection.isCutOff) throw new StorageUnavailable('the last write failed')
      },
      load: {
        waiting: () => ({ ...connection.load.waiting(), reads: reads.waiting() }),
        failures: connection.load.failures,
      },
      close: async (): Promise<void> => {
        try {
          // First, because the write-ahead log is not emptied while another connection reads from it.
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

/** Only for this user. Node's own recursive `mkdir` never returns in places such as /proc. */
export function makeDataDir(path: string): void {
  if (existsSync(path)) return
  makeDataDir(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

/** @throws DatabaseMissing, DatabaseUnusable */
function refuseMissing(dataDir: string, path: string): void {
  if (!existsSync(path)) throw new DatabaseMissing(dataDir)
  // SQLite takes an empty file for a new database.
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

/** Its thread starts with the first read, because a storage is often opened without any. */
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

export async function migrateSqlite(path: string): Promise<void> {
  const connection = await SqliteConnection.open(path, () => undefined)
  const db = new Kysely<Schema>({ dialect: sqliteDialect(async () => connection) })
  try {
    await migrate(db)
  } finally {
    await db.destroy()
  }
}
