import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { SqliteAnswer, SqliteFailure, SqliteRequest, SqliteRows } from './sqlite-protocol.ts'
import { StorageUnavailable, UniqueViolation } from './storage-error.ts'

export interface SqliteResult {
  readonly rows: readonly Record<string, SQLOutputValue>[]
  readonly changes: number
}

interface Waiter {
  resolve(result: SqliteResult): void
  reject(error: Error): void
}

/** The main thread's end of the one SQLite connection. Statements run in the order of the calls. */
export class SqliteConnection {
  readonly #worker: Worker
  readonly #waiters = new Map<number, Waiter>()
  #nextId = 1
  #isClosed = false

  private constructor(worker: Worker, onFatal: (error: Error) => void) {
    this.#worker = worker
    worker.on('message', (answer: SqliteAnswer) => this.#settle(answer))
    worker.on('error', (error: unknown) =>
      onFatal(new Error('the SQLite worker failed', { cause: error })),
    )
    worker.on('exit', () => this.#fail(new StorageUnavailable('the SQLite worker has ended')))
  }

  /**
   * @param onFatal Called when the worker dies. A transaction may have died half-way with it, so
   * the process has to end and start anew.
   */
  static async open(path: string, onFatal: (error: Error) => void): Promise<SqliteConnection> {
    const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), {
      workerData: { path },
    })
    await once(worker, 'message')
    return new SqliteConnection(worker, onFatal)
  }

  /** @throws UniqueViolation, StorageUnavailable, or an Error for a statement that is wrong. */
  execute(sql: string, parameters: readonly SQLInputValue[]): Promise<SqliteResult> {
    if (this.#isClosed) return Promise.reject(new StorageUnavailable('the storage is closed'))
    return new Promise((resolve, reject) => {
      const id = this.#nextId++
      this.#waiters.set(id, { resolve, reject })
      this.#worker.postMessage({ id, sql, parameters } satisfies SqliteRequest)
    })
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    try {
      await this.execute('pragma wal_checkpoint(truncate)', [])
    } finally {
      this.#isClosed = true
      await this.#worker.terminate()
    }
  }

  #settle(answer: SqliteAnswer): void {
    const waiter = this.#waiters.get(answer.id)
    this.#waiters.delete(answer.id)
    if ('failure' in answer) waiter?.reject(toStorageError(answer.failure))
    else waiter?.resolve({ rows: toObjects(answer), changes: answer.changes })
  }

  #fail(error: Error): void {
    this.#isClosed = true
    for (const waiter of this.#waiters.values()) waiter.reject(error)
    this.#waiters.clear()
  }
}

function toObjects({ columns, rows }: SqliteRows): Record<string, SQLOutputValue>[] {
  return rows.map((values) => {
    const row: Record<string, SQLOutputValue> = {}
    for (let i = 0; i < columns.length; i += 1) row[columns[i] ?? ''] = values[i] ?? null
    return row
  })
}

/** Result codes: https://sqlite.org/rescode.html */
const uniqueCodes = new Set([1555, 2067, 2579])
const unavailablePrimaryCodes = new Set([
  5, // busy
  6, // locked
  8, // read-only
  10, // input or output error
  11, // corrupt
  13, // full
  14, // can't open
  26, // not a database
])

function toStorageError({ message, resultCode }: SqliteFailure): Error {
  if (resultCode === undefined) return new Error(message)
  if (uniqueCodes.has(resultCode)) return new UniqueViolation(message)
  // The low byte of an extended code is its primary code.
  if (unavailablePrimaryCodes.has(resultCode & 0xff)) return new StorageUnavailable(message)
  return new Error(message)
}
