import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type Dialect,
  type Driver,
} from 'kysely'
import type { SQLInputValue } from 'node:sqlite'
import type { SqliteConnection } from './sqlite-connection.ts'

/** Kysely's own mutex gives the one connection to one query or transaction at a time. */
export function sqliteDialect(open: () => Promise<SqliteConnection>): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new SqliteWorkerDriver(open),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Stock Kysely runs SQLite migrations outside a transaction; SQLite's DDL is transactional. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class SqliteWorkerDriver implements Driver {
  readonly #open: () => Promise<SqliteConnection>
  #connection: SqliteConnection | undefined

  constructor(open: () => Promise<SqliteConnection>) {
    this.#open = open
  }

  async init(): Promise<void> {
    this.#connection = await this.#open()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const connection = this.#opened
    return {
      executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
        const { rows, changes } = await connection.execute(sql, parameters.map(bindable))
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely leaves the row's type to the query
        return { rows: rows as Row[], numAffectedRows: BigInt(changes) }
      },
      streamQuery: () => {
        throw new Error('Streaming is not supported: page by key instead')
      },
    }
  }

  async beginTransaction(): Promise<void> {
    // A deferred transaction could fail half-way, when it turns from reading to writing.
    await this.#opened.execute('begin immediate', [])
  }

  async commitTransaction(): Promise<void> {
    await this.#opened.execute('commit', [])
  }

  async rollbackTransaction(): Promise<void> {
    await this.#opened.execute('rollback', [])
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#connection?.close()
  }

  get #opened(): SqliteConnection {
    if (this.#connection === undefined) throw new Error('the connection is not open yet')
    return this.#connection
  }
}

/** node:sqlite takes an object as named parameters and shifts the rest, so only plain values pass. */
function bindable(value: unknown): SQLInputValue {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
      return value
    case 'boolean':
      return value ? 1 : 0
    default:
      if (value === null || value instanceof Uint8Array) return value
      throw new TypeError(`SQLite can't bind a value of type ${typeof value}`)
  }
}
