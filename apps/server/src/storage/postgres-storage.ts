import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely'
import { Client, Pool, type ClientConfig } from 'pg'
import { ChangeLog } from './change-log.ts'
import { isMigrated, migrate, migrations, type MigrationProgress } from './migrations.ts'
import { takeOverMovedHeartbeats } from './moved-heartbeats.ts'
import {
  postgresDialect,
  postgresReadsDialect,
  readByPool,
  UnlockedPostgresAdapter,
} from './postgres-dialect.ts'
import { toStorageError } from './postgres-error.ts'
import { appendChanges, databaseClock, type ReadByPool } from './postgres-instance.ts'
import {
  postgresSettings,
  timeLimits,
  unhurriedSettings,
  type TimeLimits,
} from './postgres-settings.ts'
import { PostgresWriter } from './postgres-writer.ts'
import type { Schema } from './schema.ts'
import { DatabaseUnreachable, StorageUnavailable } from './storage-error.ts'
import { StorageFailures } from './storage-load.ts'
import { refuseUnfinishedCopy } from './unfinished-copy.ts'

/** Besides the connection that writes. */
const maxReaders = 8
const maxNewsReaders = 2
const notifyChannel = 'astropelago'
const listenRetryMs = 1000

export type PostgresStorage = Awaited<ReturnType<typeof openPostgresStorage>>

export type PostgresInstance = PostgresStorage['instance']

interface CommitWatcher {
  readonly onCommit: () => void
  /** Called when a change may have been committed although its caller got an error. */
  readonly onDoubt: () => void
}

interface PostgresStorageOptions {
  readonly databaseUrl: string
  /** Called when this server's memory is too old to go on from. The process has to end. */
  readonly onFatal: (error: Error) => void
  readonly onMigration?: (migration: MigrationProgress) => void
  readonly limits?: TimeLimits
}

/** @throws DatabaseUnreachable if it does not answer */
export async function openPostgresStorage({
  databaseUrl,
  onFatal,
  onMigration,
  limits = timeLimits,
}: PostgresStorageOptions) {
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
  const readers = openPool({ ...client, max: maxReaders })
  const byPool = { pool: readers, perTransaction, failures }
  const db = new Kysely<Schema>({ dialect: postgresDialect(writer, byPool) })
  // Reading other servers' changes must not wait behind calls.
  const newsReaders = openPool({ ...client, max: maxNewsReaders })
  const read: ReadByPool = async (query) =>
    await readByPool({ pool: newsReaders, perTransaction, failures }, query.compile(db))
  const clock = databaseClock(read)
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
    kind: 'postgres' as const,
    db,
    longReads: new Kysely<Schema>({ dialect: postgresReadsDialect(byPool) }),
    changes: new ChangeLog(db, (transaction, changes) =>
      appendChanges(transaction, writer.number, changes),
    ),
    /** Durable only with the next ordinary write. For what is of no use before that. */
    writeUnsynced: (query: CompiledQuery): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await sql`set local synchronous_commit to off`.execute(transaction)
        await transaction.executeQuery(query)
      }),
    /** Resolves if the storage answers and accepts writes; otherwise rejects. */
    ping: async (): Promise<void> => {
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
      watch: (watcher: CommitWatcher) => {
        watchers.add(watcher)
        return () => watchers.delete(watcher)
      },
      turns: () => writer.turns,
      read,
      /** Other servers are not woken. They see the change at their next regular reading. */
      writeQuietly: async <Row>(query: CompiledQuery<Row>): Promise<{ readonly rows: Row[] }> =>
        await writer.use((session) => session.query(query.sql, query.parameters), {
          isQuiet: true,
        }),
      wakeOthers: async (): Promise<void> => {
        await newsReaders.query(`notify ${notifyChannel}`)
      },
      /** Calls back when another server wakes this one. Behind a pooler that never happens. */
      listen: async (onNotification: () => void) =>
        perTransaction === '' ? await listen(client, onNotification) : async () => undefined,
      giveUp: (reason?: string) => writer.giveUp(reason),
    },
    close: async (): Promise<void> => {
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

/** Callers get the errors of their own queries. The next query replaces a broken idle connection. */
function openPool(settings: ConstructorParameters<typeof Pool>[0]): Pool {
  const pool = new Pool(settings)
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** On a connection of its own, reopened when it breaks. A lost notification does no harm. */
async function listen(settings: ClientConfig, onNotification: () => void) {
  let isEnded = false
  let client: Client | undefined
  let retry: NodeJS.Timeout | undefined
  const open = async () => {
    const opened = new Client(settings)
    client = opened
    const again = () => {
      if (client !== opened || isEnded) return
      client = undefined
      opened.end().catch(() => undefined)
      retry = setTimeout(() => void open(), listenRetryMs)
      retry.unref()
    }
    opened.on('error', again)
    opened.on('end', again)
    opened.on('notification', onNotification)
    try {
      await opened.connect()
      await opened.query(`listen ${notifyChannel}`)
    } catch {
      again()
    }
  }
  await open()
  return async (): Promise<void> => {
    isEnded = true
    clearTimeout(retry)
    await client?.end().catch(() => undefined)
  }
}

export class MigratingDialect extends PostgresDialect {
  override createAdapter() {
    return new UnlockedPostgresAdapter()
  }
}

export async function migratePostgres(
  databaseUrl: string,
  steps = migrations,
  onMigration?: PostgresStorageOptions['onMigration'],
): Promise<void> {
  const pool = openPool({ ...unhurriedSettings(databaseUrl), max: 1 })
  const db = new Kysely<Schema>({ dialect: new MigratingDialect({ pool }) })
  try {
    await migrate(db, steps, onMigration)
  } finally {
    await db.destroy()
  }
}
