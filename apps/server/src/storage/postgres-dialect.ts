import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type RawBuilder,
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

export interface PostgresReaders extends Pick<PostgresSettings, 'perTransaction'> {
  readonly pool: Pool
  readonly failures: StorageFailures
}

/**
 * Kysely over two routes to the database: transactions and writes go through the writer, other reads
 * through a pool.
 */
export function postgresDialect(writer: PostgresWriter, readers: PostgresReaders): Dialect {
  return dialectOf(() => new PostgresDriver(writer, readers))
}

/** Kysely over the pool alone. Here even reads in raw SQL never wait for a write. */
export function postgresReadsDialect(readers: PostgresReaders): Dialect {
  return dialectOf(() => new ReadingDriver(readers))
}

function dialectOf(createDriver: () => Driver): Dialect {
  return {
    createAdapter: () => new UnlockedPostgresAdapter(),
    createDriver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

/**
 * Stock Kysely locks the session, and only after it has created its tables. `migrate` locks the transaction
 * before that.
 */
export class UnlockedPostgresAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}

class PostgresDriver implements Driver {
  readonly #writer: PostgresWriter
  readonly #readers: PostgresReaders

  constructor(writer: PostgresWriter, readers: PostgresReaders) {
    this.#writer = writer
    this.#readers = readers
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<RoutedConnection> {
    return new RoutedConnection(this.#writer, this.#readers)
  }

  async beginTransaction(connection: RoutedConnection): Promise<void> {
    await connection.begin()
  }

  async commitTransaction(connection: RoutedConnection): Promise<void> {
    await connection.commit()
  }

  async rollbackTransaction(connection: RoutedConnection): Promise<void> {
    await connection.rollback()
  }

  async releaseConnection(connection: RoutedConnection): Promise<void> {
    connection.release()
  }

  async destroy(): Promise<void> {
    await this.#readers.pool.end()
    await this.#writer.close()
  }
}

/** What Kysely takes for a connection. The first statement decides which route it uses. */
class RoutedConnection implements DatabaseConnection {
  readonly #writer: PostgresWriter
  readonly #readers: PostgresReaders
  #session: PostgresSession | undefined
  #isInTransaction = false

  constructor(writer: PostgresWriter, readers: PostgresReaders) {
    this.#writer = writer
    this.#readers = readers
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const isRead = this.#session === undefined && query.query.kind === 'SelectQueryNode'
    const { rows, rowCount } = isRead
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
    const { command } = await this.#run('commit')
    this.#isInTransaction = false
    // PostgreSQL answers a commit like this if a statement of the transaction failed and its error was
    // ignored.
    if (command === 'ROLLBACK') throw new Error('the transaction was rolled back')
  }

  async #write({ sql: statement, parameters }: CompiledQuery) {
    if (this.#isInTransaction) return await this.#run(statement, parameters)
    this.#session ??= await this.#writer.acquire()
    return await this.#session.queryAlone(statement, parameters)
  }

  async #run(statement: string, parameters?: readonly unknown[]) {
    this.#session ??= await this.#writer.acquire()
    return await this.#session.query(statement, parameters)
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

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming is not supported: page by key instead')
  }
}

/** Writes on this route are refused, as on a read-only connection. */
const isRead = /^\s*(?:select|with)\b/i

class ReadingDriver implements Driver {
  readonly #readers: PostgresReaders

  constructor(readers: PostgresReaders) {
    this.#readers = readers
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: async (query) => {
        if (!isRead.test(query.sql)) throw refusal()
        const { rows } = await readByPool(this.#readers, query)
        return { rows }
      },
      streamQuery: () => {
        throw new Error('Streaming is not supported: page by key instead')
      },
    }
  }

  async beginTransaction(): Promise<void> {
    throw refusal()
  }

  async commitTransaction(): Promise<void> {
    throw refusal()
  }

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  /** The driver that writes ends the pool. */
  async destroy(): Promise<void> {}
}

function refusal(): Error {
  return new Error('longReads takes single reads alone')
}

/**
 * Runs a query as it is, on any free connection.
 * @throws StorageUnavailable
 */
export type ReadByPool = <Row>(query: RawBuilder<Row>) => Promise<{ readonly rows: readonly Row[] }>

/**
 * Runs a query on any free connection.
 * @throws StorageUnavailable
 */
export async function readByPool(
  { pool, perTransaction, failures }: PostgresReaders,
  { sql: statement, parameters }: CompiledQuery,
) {
  if (pool.waitingCount >= maxWaitingReads) {
    throw failures.note(new StorageUnavailable('too many reads are waiting'))
  }
  const client = await pool.connect().catch((error: unknown) => {
    throw failures.note(toStorageError(error))
  })
  const session = new PostgresSession(client, { perTransaction, failures })
  try {
    return await session.queryAlone(statement, parameters)
  } finally {
    client.release(session.isLost)
  }
}
