/** Runs SQLite on its own thread, so that a slow disk never stops the event loop. */
import { statSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { SharedStatement, type NumberAndBytes, type Outcome } from './shared-statement.ts'
import type {
  SqliteAnswer,
  SqliteFailure,
  SqliteRequest,
  SqliteRows,
  SqliteStatement,
  SqliteTarget,
} from './sqlite-protocol.ts'

const maxCachedStatements = 500

type Asked = Exclude<SqliteRequest, { readonly close: true }>

if (parentPort === null) throw new Error('sqlite-worker only runs as a worker thread')
const port = parentPort
// All messages come from `SqliteThread` of the same version, so their types can be trusted.
const shared = new SharedStatement(workerData)

let database: DatabaseSync
let databasePath: string
let openedFile: string
let isLost = false

const statements = new Map<string, StatementSync>()

/** https://sqlite.org/rescode.html#ioerr */
const lost: SqliteFailure = {
  message: 'the database file was removed or replaced while the server ran: nothing more is stored',
  resultCode: 10,
}

/** https://sqlite.org/rescode.html#locked */
const closedAmidTransaction: SqliteFailure = {
  message: 'the database was closed amid a transaction, which is undone',
  resultCode: 6,
}

/** These wait until a transaction of single statements ends, so that they don't become part of it. */
let held: Asked[] = []

// Never returns to the event loop: waking up from there takes longer than a write.
for (;;) {
  open(nextTarget())
  port.postMessage('open')
  serve()
}

function nextTarget(): SqliteTarget {
  for (;;) {
    const wakes = shared.wakes()
    const target: SqliteTarget | undefined = receiveMessageOnPort(port)?.message
    if (target !== undefined) return target
    shared.sleep(wakes)
  }
}

function open({ path, isReadOnly }: SqliteTarget): void {
  database = new DatabaseSync(path, { timeout: 5000, readOnly: isReadOnly })
  if (!isReadOnly) {
    database.exec('pragma journal_mode = wal')
    database.exec('pragma synchronous = full')
    database.exec('pragma foreign_keys = on')
  }
  databasePath = path
  openedFile = identityOf(path)
  isLost = false
}

/**
 * Writes to a removed file succeed, and are lost when the process ends, so a commit counts only if this
 * is false. SQLite itself replaces the write-ahead log, which is not checked.
 */
function isFileLost(): boolean {
  isLost ||= identityOf(databasePath) !== openedFile
  return isLost
}

function identityOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined ? 'none' : `${stats.dev} ${stats.ino}`
}

function serve(): void {
  for (;;) {
    const wakes = shared.wakes()
    for (let request = receive(); request !== undefined; request = receive()) {
      if ('close' in request) {
        answerHeld()
        port.postMessage(close(request.id))
        return
      }
      if ('transaction' in request && database.isTransaction) held.push(request)
      else port.postMessage(answer(request))
      answerHeld()
    }
    answerHeld()
    shared.sleep(wakes)
  }
}

/** The last connection to close moves the write-ahead log into the database. */
function close(id: number): SqliteAnswer {
  const failure = database.isTransaction ? closedAmidTransaction : undefined
  statements.clear()
  held = []
  database.close()
  return failure === undefined ? { id, columns: [], rows: [], changes: 0 } : { id, failure }
}

function receive(): SqliteRequest | undefined {
  return receiveMessageOnPort(port)?.message
}

function answerHeld(): void {
  if (database.isTransaction) return
  for (const request of held) port.postMessage(answer(request))
  held = []
  const statement = shared.take()
  if (statement === undefined) return
  if (shared.answer(runShared(statement))) port.postMessage('shared' satisfies SqliteAnswer)
}

function runShared({ sql, number, bytes }: NumberAndBytes): Outcome {
  try {
    prepared(sql).run(number, bytes)
    return isFileLost() ? lost : 'done'
  } catch (error) {
    return describeFailure(error)
  }
}

function answer(request: Asked): SqliteAnswer {
  const { id } = request
  try {
    const result = 'transaction' in request ? runWhole(request) : run(request)
    if (!database.isTransaction && isFileLost()) return { id, failure: lost }
    return { id, ...result }
  } catch (error) {
    if ('transaction' in request && database.isTransaction) database.exec('rollback')
    const sql = 'transaction' in request ? sqlOf(request.transaction) : request.sql
    return { id, failure: { ...describeFailure(error), sql } }
  }
}

function sqlOf(all: readonly SqliteStatement[]): string {
  return all.map(({ sql }) => sql).join('; ')
}

function runWhole({ transaction, isUnsynced = false }: Extract<Asked, { transaction: unknown }>) {
  if (!isUnsynced) return runTransaction(transaction)
  database.exec('pragma synchronous = normal')
  try {
    return runTransaction(transaction)
  } finally {
    // Has no effect inside a transaction, which a failure leaves open.
    if (database.isTransaction) database.exec('rollback')
    database.exec('pragma synchronous = full')
  }
}

function runTransaction(all: readonly SqliteStatement[]): SqliteRows & { changes: number } {
  database.exec('begin immediate')
  let changes = 0
  for (const statement of all) changes += run(statement).changes
  database.exec('commit')
  return { columns: [], rows: [], changes }
}

function run({ sql, parameters }: SqliteStatement): SqliteRows & { changes: number } {
  // SQLite itself rolls back when the disk is full or fails. A second rollback would be an error.
  if (sql === 'rollback' && !database.isTransaction) return { columns: [], rows: [], changes: 0 }
  const statement = prepared(sql)
  const columns = statement.columns().map(({ name }) => name)
  if (columns.length > 0) {
    const rows: unknown = statement.all(...parameters)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its types know rows as objects only
    return { columns, rows: rows as SQLOutputValue[][], changes: 0 }
  }
  return { columns, rows: [], changes: Number(statement.run(...parameters).changes) }
}

function prepared(sql: string): StatementSync {
  const cached = statements.get(sql)
  if (cached !== undefined) return cached
  const statement = database.prepare(sql)
  // Objects take three times as long to create and to send.
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
