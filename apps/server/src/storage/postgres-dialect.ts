import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import type { Pool } from 'pg'
import { toStorageError } from './postgres-error.ts'
import { PostgresSession } from './postgres-session.ts'
import type { PostgresSettings } from './postgres-settings.ts'
import type { PostgresWriter } from './postgres-writer.ts'
import { StorageUnavailable } from './storage-error.ts'
import type { StorageFailures } from './storage-load.ts'

/** More reads are refused, so that a slow database does not fill the memory. */
const maxWaitingReads = 5000

interface PostgresReaders extends Pick<PostgresSettings, 'perTransaction'> {
  readonly pool: Pool
  readonly failures: StorageFailures
}

export function postgresDialect(writer: PostgresWriter, readers: PostgresReaders): Dialect {
  return dialectOf({
    init: async () => undefined,
    acquireConnection: async () => new RoutedConnection(writer, readers),
    beginTransaction: (connection: RoutedConnection) => connection.begin(),
    commitTransaction: (connection: RoutedConnection) => connection.commit(),
    rollbackTransaction: (connection: RoutedConnection) => connection.rollback(),
    releaseConnection: async (connection: RoutedConnection) => connection.release(),
    destroy: async () => {
      await readers.pool.end()
      await writer.close()
    },
  })
}

const isRead = /^\s*(?:select|with)\b/i

/** Kysely over the pool alone: even reads in raw SQL never wait for a write, and writes are refused. */
export function postgresReadsDialect(readers: PostgresReaders): Dialect {
  return dialectOf({
    init: async () => undefined,
    acquireConnection: async () => ({
      executeQuery: async (query) => {
        if (!isRead.test(query.sql)) await refuseWrite()
        const { rows } = await readByPool(readers, query)
        return { rows }
      },
      streamQuery: refuseStream,
    }),
    beginTransaction: refuseWrite,
    commitTransaction: refuseWrite,
    rollbackTransaction: async () => undefined,
    releaseConnection: async () => undefined,
    // The driver that writes ends the pool.
    destroy: async () => undefined,
  })
}

async function refuseWrite(): Promise<never> {
  throw new Error('longReads takes single reads alone')
}

function dialectOf(driver: Driver): Dialect {
  return {
    createAdapter: () => new UnlockedPostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

/** Stock Kysely locks the session, and too late. `migrate` locks the transaction instead. */
export class UnlockedPostgresAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}

/** What Kysely takes for a connection. The first statement decides which route it uses. */
class RoutedConnection implements DatabaseConnection {
  readonly streamQuery = refuseStream
  readonly #writer: PostgresWriter
  readonly #readers: PostgresReaders
  #session: PostgresSession | undefined
  #isInTransaction = false

  constructor(writer: PostgresWriter, readers: PostgresReaders) {
    this.#writer = writer
    this.#readers = readers
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const isPooled = this.#session === undefined && query.query.kind === 'SelectQueryNode'
    const { rows, rowCount } = isPooled
      ? await readByPool(this.#readers, query)
      : await this.#write(query)
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
  }

  async begin(): Promise<void> {
    this.#session ??= await this.#writer.acquire()
    await this.#writer.begin(this.#session)
    this.#isInTransaction = true
  }

  async commit(): Promise<void> {
    this.#session ??= await this.#writer.acquire()
    const { command } = await this.#session.query('commit')
    this.#isInTransaction = false
    // PostgreSQL answers a commit like this if a statement of the transaction failed and its error was
    // ignored.
    if (command === 'ROLLBACK') throw new Error('the transaction was rolled back')
  }

  async rollback(): Promise<void> {
    this.#isInTransaction = false
    // Without a session, nothing was begun.
    await this.#session?.rollback()
  }

  release(): void {
    if (this.#session !== undefined) this.#writer.release(this.#session)
    this.#session = undefined
  }

  async #write({ sql: statement, parameters }: CompiledQuery) {
    this.#session ??= await this.#writer.acquire()
    return this.#isInTransaction
      ? await this.#session.query(statement, parameters)
      : await this.#session.queryAlone(statement, parameters)
  }
}

function refuseStream(): never {
  throw new Error('Streaming is not supported: page by key instead')
}

/** @throws StorageUnavailable */
export async function readByPool(
  { pool, perTransaction, failures }: PostgresReaders,
  { sql: statement, parameters }: CompiledQuery,
) {
  if (pool.waitingCount >= maxWaitingReads) {
    throw failures.count(new StorageUnavailable('too many reads are waiting'))
  }
  const client = await pool.connect().catch((error: unknown) => {
    throw failures.count(toStorageError(error))
  })
  const session = new PostgresSession(client, { perTransaction, failures })
  try {
    return await session.queryAlone(statement, parameters)
  } finally {
    client.release(session.isLost)
  }
}
