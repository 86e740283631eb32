import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
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
    createDriver: () => sqliteDriver(open),
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

function sqliteDriver(open: () => Promise<SqliteConnection>): Driver {
  let opened: SqliteConnection | undefined
  const connection = (): SqliteConnection => {
    if (opened === undefined) throw new Error('the connection is not open yet')
    return opened
  }
  return {
    init: async () => {
      opened = await open()
    },
    acquireConnection: async () => ({
      executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
        const { rows, changes } = await connection().execute(sql, parameters.map(bindable))
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely leaves the row's type to the query
        return { rows: rows as Row[], numAffectedRows: BigInt(changes) }
      },
      streamQuery: () => {
        throw new Error('Streaming is not supported: page by key instead')
      },
    }),
    // A deferred transaction could fail half-way, when it turns from reading to writing.
    beginTransaction: async () => void (await connection().execute('begin immediate', [])),
    commitTransaction: async () => void (await connection().execute('commit', [])),
    rollbackTransaction: async () => void (await connection().execute('rollback', [])),
    releaseConnection: async () => undefined,
    destroy: async () => await opened?.close(),
  }
}

/** node:sqlite takes an object as named parameters and shifts the rest, so only plain values pass. */
export function bindable(value: unknown): SQLInputValue {
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
