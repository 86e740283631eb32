import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { SharedStatement, type NumberAndBytes } from './shared-statement.ts'
import type {
  SqliteAnswer,
  SqliteFailure,
  SqliteRequest,
  SqliteRows,
  SqliteStatement,
  SqliteWorkerData,
} from './sqlite-protocol.ts'
import { ReferenceViolation, StorageUnavailable, UniqueViolation } from './storage-error.ts'
import { StorageFailures, type StorageLoad } from './storage-load.ts'

export interface SqliteResult {
  readonly rows: readonly Record<string, SQLOutputValue>[]
  readonly changes: number
}

interface SqliteConnectionOptions {
  /** Writes nothing, and waits for nobody who does. */
  readonly isReadOnly?: boolean
}

interface Waiter {
  resolve(result: SqliteResult): void
  reject(error: Error): void
}

/** The main thread's end of a SQLite connection. Statements run in the order of the calls. */
export class SqliteConnection {
  readonly #worker: Worker
  readonly #waiters = new Map<number, Waiter>()
  readonly #shared: SharedStatement
  readonly #isReadOnly: boolean
  #writer: Waiter | undefined
  #nextId = 1
  #isCutOff = false
  #isClosed = false
  readonly load: StorageLoad = {
    waiting: () => {
      const count = this.#waiters.size + (this.#writer === undefined ? 0 : 1)
      return this.#isReadOnly ? { writes: 0, reads: count } : { writes: count, reads: 0 }
    },
    failures: new StorageFailures(),
  }

  private constructor(
    worker: Worker,
    shared: SharedStatement,
    { isReadOnly = false, onFatal }: SqliteConnectionOptions & { onFatal: (error: Error) => void },
  ) {
    this.#worker = worker
    this.#shared = shared
    this.#isReadOnly = isReadOnly
    worker.on('message', (answer: SqliteAnswer) => {
      // What was written before an answer was made is known before the answer is.
      this.#settleWritten()
      if (answer !== 'shared') this.#settle(answer)
    })
    worker.on('error', (error: unknown) =>
      onFatal(new Error('the SQLite worker failed', { cause: error })),
    )
    worker.on('exit', () => this.#fail(new StorageUnavailable('the SQLite worker has ended')))
  }

  /**
   * @param onFatal Called when the worker dies. A transaction may have died half-way with it, so
   * the process has to end and start anew.
   */
  static async open(
    path: string,
    onFatal: (error: Error) => void,
    { isReadOnly = false }: SqliteConnectionOptions = {},
  ): Promise<SqliteConnection> {
    const shared = new SharedStatement()
    const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), {
      name: isReadOnly ? 'sqlite-reads' : 'sqlite',
      // Under `node --watch`, by its own variable, a worker's imports are messages among its answers.
      env: {},
      workerData: { path, isReadOnly, shared: shared.buffer } satisfies SqliteWorkerData,
    })
    await once(worker, 'message')
    return new SqliteConnection(worker, shared, { isReadOnly, onFatal })
  }

  /** @throws UniqueViolation, ReferenceViolation, StorageUnavailable, or an Error for a statement that is wrong. */
  execute(sql: string, parameters: readonly SQLInputValue[]): Promise<SqliteResult> {
    return this.#send((id) => ({ id, sql, parameters }))
  }

  /**
   * Runs statements in a transaction of their own, at the cost of one message. Unlike `execute` it may
   * be called amid a transaction of others, and then has its turn after it.
   */
  transaction(statements: readonly SqliteStatement[]): Promise<SqliteResult> {
    return this.#send((id) => ({ id, transaction: statements }))
  }

  /**
   * The same of one statement, without a message where no other call of this is under way. Its caller
   * knows of it before the caller of an `execute` that read it.
   */
  write(statement: NumberAndBytes): Promise<SqliteResult> {
    const isShared =
      !this.#isClosed && this.#writer === undefined && this.#shared.handOver(statement)
    if (!isShared) {
      const { sql, number, bytes } = statement
      return this.transaction([{ sql, parameters: [number, bytes] }])
    }
    // At the end of this turn of the event loop, which may go to sleep then.
    setImmediate(() => {
      this.#settleWritten()
      if (this.#writer === undefined) return
      this.#shared.awaitMessage()
      this.#settleWritten()
    })
    return new Promise((resolve, reject) => {
      this.#writer = { resolve, reject }
    })
  }

  /** Whether the last write failed, as on a full disk: what only reads would not notice. */
  get isCutOff(): boolean {
    return this.#isCutOff
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    try {
      if (!this.#isReadOnly) await this.execute('pragma wal_checkpoint(truncate)', [])
    } finally {
      this.#isClosed = true
      await this.#worker.terminate()
    }
  }

  #send(request: (id: number) => SqliteRequest): Promise<SqliteResult> {
    if (this.#isClosed) return Promise.reject(new StorageUnavailable('the storage is closed'))
    return new Promise((resolve, reject) => {
      const id = this.#nextId++
      this.#waiters.set(id, { resolve, reject })
      this.#worker.postMessage(request(id))
      this.#shared.wake()
    })
  }

  #settle(answer: Exclude<SqliteAnswer, 'shared'>): void {
    const waiter = this.#waiters.get(answer.id)
    this.#waiters.delete(answer.id)
    if ('failure' in answer) {
      waiter?.reject(this.#noteFailure(answer.failure))
      return
    }
    if (answer.changes > 0) this.#isCutOff = false
    waiter?.resolve({ rows: toObjects(answer), changes: answer.changes })
  }

  #settleWritten(): void {
    if (this.#writer === undefined) return
    const outcome = this.#shared.takeOutcome()
    if (outcome === undefined) return
    const waiter = this.#writer
    this.#writer = undefined
    if (outcome === 'done') {
      this.#isCutOff = false
      waiter.resolve({ rows: [], changes: 0 })
    } else waiter.reject(this.#noteFailure(outcome))
  }

  #noteFailure(failure: SqliteFailure): Error {
    if (writeFailureCodes.has(primaryCode(failure))) this.#isCutOff = true
    return this.load.failures.note(toStorageError(failure))
  }

  #fail(error: Error): void {
    this.#isClosed = true
    for (const waiter of this.#waiters.values()) waiter.reject(error)
    this.#waiters.clear()
    this.#writer?.reject(error)
    this.#writer = undefined
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
const referenceCode = 787
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

/** Of those, the ones that only a write that works proves to be over: read-only, error, full. */
const writeFailureCodes: ReadonlySet<number> = new Set([8, 10, 13])

function toStorageError(failure: SqliteFailure): Error {
  const { message, resultCode } = failure
  if (resultCode !== undefined && uniqueCodes.has(resultCode)) return new UniqueViolation(message)
  if (resultCode === referenceCode) return new ReferenceViolation(message)
  const isUnavailable = unavailablePrimaryCodes.has(primaryCode(failure))
  return isUnavailable
    ? new StorageUnavailable(message, { cause: failure })
    : new Error(message, { cause: failure })
}

/** The low byte of an extended code; 0 where SQLite did not refuse. */
function primaryCode({ resultCode = 0 }: SqliteFailure): number {
  return resultCode & 0xff
}
