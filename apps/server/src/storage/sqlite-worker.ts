/** Runs SQLite on a thread of its own, so that a slow disk never stops the event loop. */
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type {
  SqliteAnswer,
  SqliteFailure,
  SqliteRequest,
  SqliteWorkerData,
} from './sqlite-protocol.ts'

const maxCachedStatements = 500

if (parentPort === null) throw new Error('sqlite-worker runs as a worker thread only')
const port = parentPort
// parentPort's data comes from `SqliteConnection` of the same version: the type is a promise kept there.
const { path }: SqliteWorkerData = workerData

const database = new DatabaseSync(path, { timeout: 5000 })
database.exec('pragma journal_mode = wal')
database.exec('pragma synchronous = full')
database.exec('pragma foreign_keys = on')

const statements = new Map<string, StatementSync>()

port.on('message', (request: SqliteRequest) => {
  port.postMessage(answer(request))
})
port.on('close', () => database.close())
port.postMessage('open')

function answer({ id, sql, parameters }: SqliteRequest): SqliteAnswer {
  try {
    // SQLite itself rolls back when the disk is full or fails; a second rollback would be an error.
    if (sql === 'rollback' && !database.isTransaction)
      return { id, columns: [], rows: [], changes: 0 }
    const statement = prepared(sql)
    const columns = statement.columns().map(({ name }) => name)
    if (columns.length > 0) {
      const rows: unknown = statement.all(...parameters)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its types know rows as objects only
      return { id, columns, rows: rows as SQLOutputValue[][], changes: 0 }
    }
    return { id, columns, rows: [], changes: Number(statement.run(...parameters).changes) }
  } catch (error) {
    return { id, failure: describeFailure(error) }
  }
}

function prepared(sql: string): StatementSync {
  const cached = statements.get(sql)
  if (cached !== undefined) return cached
  const statement = database.prepare(sql)
  // Objects take three times as long to make and to send.
  statement.setReturnArrays(true)
  if (statements.size >= maxCachedStatements) {
    const [oldest] = statements.keys()
    if (oldest !== undefined) statements.delete(oldest)
  }
  statements.set(sql, statement)
  return statement
}

function describeFailure(error: unknown): SqliteFailure {
  if (!(error instanceof Error)) return { message: String(error), resultCode: undefined }
  const resultCode =
    'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined
  return { message: error.message, resultCode }
}
