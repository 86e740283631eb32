import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely'
import { Pool } from 'pg'
import { ChangeLog } from './change-log.ts'
import { DatabaseClock } from './database-clock.ts'
import { isMigrated, migrate, migrations, type MigrationProgress } from './migrations.ts'
import {
  postgresDialect,
  postgresReadsDialect,
  readByPool,
  UnlockedPostgresAdapter,
  type ReadByPool,
} from './postgres-dialect.ts'
import { appendChanges } from './postgres-changes.ts'
import { takeOverMovedHeartbeats } from './moved-heartbeats.ts'
import { listen, notifyChannel } from './postgres-notifications.ts'
import {
  postgresSettings,
  timeLimits,
  unhurriedSettings,
  type TimeLimits,
} from './postgres-settings.ts'
import { toStorageError } from './postgres-error.ts'
import { PostgresWriter } from './postgres-writer.ts'
import type { Schema } from './schema.ts'
import { DatabaseUnreachable, StorageUnavailable } from './storage-error.ts'
import { StorageFailures, type StorageLoad } from './storage-load.ts'
import { refuseUnfinishedCopy } from './unfinished-copy.ts'

/** Besides the connection that writes. */
const maxReaders = 8
/** Connections that read other servers' changes. */
const maxNewsReaders = 2

export interface PostgresStorage {
  readonly kind: 'postgres'
  readonly db: Kysely<Schema>
  /** For reads only, raw SQL included. They never wait for writes, nor writes for them. */
  readonly longReads: Kysely<Schema>
  readonly changes: ChangeLog
  /** Resolves if the storage answers and accepts writes; otherwise rejects. */
  readonly ping: () => Promise<void>
  readonly load: StorageLoad
  /** This server as one of those that share the database. */
  readonly instance: PostgresInstance
  readonly close: () => Promise<void>
}

export interface CommitWatcher {
  readonly onCommit: () => void
  readonly onDoubt: () => void
}

export interface PostgresInstance {
  /** This server's number in `writers`. */
  readonly writer: number
  readonly clock: DatabaseClock
  /**
   * Calls back after each commit, and when a change may have been committed although its caller got an
   * error.
   * @returns a function that ends this
   */
  readonly watch: (watcher: CommitWatcher) => () => void
  /** How many write turns have begun so far, and how many of them are over. */
  readonly turns: () => { readonly begun: number; readonly ended: number }
  /** Runs a query without a write turn, so it does not wait for this server's own writes. */
  readonly read: ReadByPool
  /** Runs a statement without waking other servers. They see the change at their next regular reading. */
  readonly writeQuietly: <Row>(query: CompiledQuery<Row>) => Promise<{ readonly rows: Row[] }>
  /** Wakes other servers, so that they read what changed. */
  readonly wakeOthers: () => Promise<void>
  /** Calls back when another server wakes this one. Behind a pooler that never happens. */
  readonly listen: (onNotification: () => void) => Promise<() => Promise<void>>
  /**
   * Call it when this server's memory is too old to go on from.
   * @returns the error to throw
   */
  readonly giveUp: (reason?: string) => StorageUnavailable
}

interface PostgresStorageOptions {
  readonly databaseUrl: string
  /** Called when this server's memory is too old to go on from. The process has to end. */
  readonly onFatal: (error: Error) => void
  /** Called when each migration begins and when it is done. */
  readonly onMigration?: (migration: MigrationProgress) => void
  readonly limits?: TimeLimits
}

/**
 * Opens a PostgreSQL database and migrates it.
 * @throws DatabaseUnreachable if it does not answer
 */
export async function openPostgresStorage({
  databaseUrl,
  onFatal,
  onMigration,
  limits = timeLimits,
}: PostgresStorageOptions): Promise<PostgresStorage> {
  const settings = await postgresSettings(databaseUrl, limits).catch((error: unknown) => {
    throw unreachable(toStorageError(error))
  })
  const watchers = new Set<CommitWatcher>()
  const failures = new StorageFailures()
  const writer = await PostgresWriter.open({
    settings,
    failures,
    limits,
    onFatal,
    onCommit: () => watchers.forEach((watcher) => watcher.onCommit()),
    onDoubt: () => watchers.forEach((watcher) => watcher.onDoubt()),
  }).catch((error: unknown) => {
    throw unreachable(error)
  })
  const { client, perTransaction } = settings
  const readers = new Pool({ ...client, max: maxReaders })
  // Callers get the errors of their own queries. The next query replaces a broken idle connection.
  readers.on('error', () => undefined)
  readers.on('connect', (reader) => reader.on('error', () => undefined))
  const byPool = { pool: readers, perTransaction, failures }
  const db = new Kysely<Schema>({ dialect: postgresDialect(writer, byPool) })
  const longReads = new Kysely<Schema>({ dialect: postgresReadsDialect(byPool) })
  // Reading other servers' changes must not wait behind calls.
  const newsReaders = new Pool({ ...client, max: maxNewsReaders })
  newsReaders.on('error', () => undefined)
  newsReaders.on('connect', (reader) => reader.on('error', () => undefined))
  const read: ReadByPool = async (query) =>
    await readByPool({ pool: newsReaders, perTransaction, failures }, query.compile(db))
  const clock = new DatabaseClock(read)
  try {
    await refuseUnfinishedCopy(db)
    if (!(await isMigrated(db))) await migratePostgres(databaseUrl, undefined, onMigration)
    await writer.register()
    // A copy that began meanwhile has seen this server, or is seen here.
    await refuseUnfinishedCopy(db)
    await writer.use((session) => session.query(takeOverMovedHeartbeats))
    await clock.measure()
  } catch (error) {
    await readers.end()
    await newsReaders.end()
    await writer.close()
    throw error
  }
  return {
    kind: 'postgres',
    db,
    longReads,
    changes: new ChangeLog(db, (transaction, changes) =>
      appendChanges(transaction, writer.number, changes),
    ),
    ping: async () => {
      await writer.use((session) => session.query('select 1'))
      if (writer.isCutOff) throw new StorageUnavailable('the last write failed')
    },
    load: {
      waiting: () => ({ writes: writer.waitingCount, reads: readers.waitingCount }),
      failures,
    },
    instance: {
      writer: writer.number,
      clock,
      watch: (watcher) => {
        watchers.add(watcher)
        return () => watchers.delete(watcher)
      },
      turns: () => writer.turns,
      read,
      writeQuietly: (query) =>
        writer.use((session) => session.query(query.sql, query.parameters), { isQuiet: true }),
      wakeOthers: async () => {
        await newsReaders.query(`notify ${notifyChannel}`)
      },
      listen: async (onNotification) =>
        perTransaction === '' ? await listen(client, onNotification) : async () => undefined,
      giveUp: (reason) => writer.giveUp(reason),
    },
    close: async () => {
      if (!newsReaders.ending) await newsReaders.end()
      await db.destroy()
      // Kysely does not close them if it never had a query.
      await writer.close()
    },
  }
}

function unreachable(error: unknown): unknown {
  return error instanceof StorageUnavailable ? new DatabaseUnreachable(error) : error
}

/** Stock Kysely without its lock. */
export class MigratingDialect extends PostgresDialect {
  override createAdapter() {
    return new UnlockedPostgresAdapter()
  }
}

/** Uses a connection of its own without time limits. */
export async function migratePostgres(
  databaseUrl: string,
  steps = migrations,
  onMigration?: PostgresStorageOptions['onMigration'],
): Promise<void> {
  const pool = new Pool({ ...unhurriedSettings(databaseUrl), max: 1 })
  // Callers get the errors of their own queries, and nobody waits for a connection that ends.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Schema>({ dialect: new MigratingDialect({ pool }) })
  try {
    await migrate(db, steps, onMigration)
  } finally {
    await db.destroy()
  }
}
