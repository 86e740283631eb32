import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { NumberAndBytes } from './shared-statement.ts'
import type {
  SqliteAnswer,
  SqliteFailure,
  SqliteRequest,
  SqliteRows,
  SqliteStatement,
} from './sqlite-protocol.ts'
import { newThreads, type SqliteThread, type SqliteThreads } from './sqlite-thread.ts'
import { sqliteCode } from './sqlite-unusable.ts'
import { ReferenceViolation, StorageUnavailable, UniqueViolation } from './storage-error.ts'
import { StorageFailures, type StorageLoad } from './storage-load.ts'

export interface SqliteResult {
  readonly rows: readonly Record<string, SQLOutputValue>[]
  readonly changes: number
}

interface SqliteConnectionOptions {
  readonly isReadOnly?: boolean
  readonly threads?: SqliteThreads
}

interface Waiter {
  resolve(result: SqliteResult): void
  reject(error: Error): void
}

/** The main thread's end of a SQLite connection. Statements run in the order of the calls. */
export class SqliteConnection {
  readonly #thread: SqliteThread
  readonly #threads: SqliteThreads
  readonly #waiters = new Map<number, Waiter>()
  readonly #isReadOnly: boolean
  readonly #onFatal: (error: Error) => void
  #writer: Waiter | undefined
  #nextId = 1
  #isCutOff = false
  #isClosed = false
  #isGone = false
  readonly load: StorageLoad = {
    waiting: () => {
      const count = this.#waiters.size + (this.#writer === undefined ? 0 : 1)
      return this.#isReadOnly ? { writes: 0, reads: count } : { writes: count, reads: 0 }
    },
    failures: new StorageFailures(),
  }

  private constructor(
    thread: SqliteThread,
    {
      isReadOnly,
      threads,
      onFatal,
    }: Required<SqliteConnectionOptions> & { onFatal: (error: Error) => void },
  ) {
    this.#thread = thread
    this.#threads = threads
    this.#isReadOnly = isReadOnly
    this.#onFatal = onFatal
    thread.worker.on('message', this.#receive).on('error', this.#die).on('exit', this.#end)
  }

  /** @param onFatal called when the worker dies, maybe amid a transaction: the process has to end */
  static async open(
    path: string,
    onFatal: (error: Error) => void,
    { isReadOnly = false, threads = newThreads }: SqliteConnectionOptions = {},
  ): Promise<SqliteConnection> {
    const thread = threads.take()
    await thread.open({ path, isReadOnly })
    return new SqliteConnection(thread, { isReadOnly, threads, onFatal })
  }

  /** @throws UniqueViolation, ReferenceViolation, StorageUnavailable, or an Error for a wrong statement */
  execute(sql: string, parameters: readonly SQLInputValue[]): Promise<SqliteResult> {
    return this.#send((id) => ({ id, sql, parameters }))
  }

  /** In one message. If another transaction is under way, it runs afterwards. */
  transaction(
    statements: readonly SqliteStatement[],
    { isUnsynced = false } = {},
  ): Promise<SqliteResult> {
    return this.#send((id) => ({ id, transaction: statements, isUnsynced }))
  }

  /** Without a message if it is alone. Its outcome arrives before that of an `execute` that read the change. */
  write(statement: NumberAndBytes): Promise<SqliteResult> {
    const isShared =
      !this.#isClosed && this.#writer === undefined && this.#thread.shared.handOver(statement)
    if (!isShared) {
      const { sql, number, bytes } = statement
      return this.transaction([{ sql, parameters: [number, bytes] }])
    }
    // At the end of this turn of the event loop, which may then go to sleep.
    setImmediate(() => {
      this.#settleWritten()
      if (this.#writer === undefined) return
      this.#thread.shared.awaitMessage()
      this.#settleWritten()
    })
    return new Promise((resolve, reject) => {
      this.#writer = { resolve, reject }
    })
  }

  get isCutOff(): boolean {
    return this.#isCutOff
  }

  /** After the calls so far. @throws StorageUnavailable amid a transaction, which is undone */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    try {
      await this.#ask((id) => ({ id, close: true }))
    } finally {
      await this.#leaveThread()
    }
  }

  #send(request: (id: number) => SqliteRequest): Promise<SqliteResult> {
    if (this.#isClosed) return Promise.reject(new StorageUnavailable('the storage is closed'))
    return this.#ask(request)
  }

  #ask(request: (id: number) => SqliteRequest): Promise<SqliteResult> {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++
      this.#waiters.set(id, { resolve, reject })
      this.#thread.send(request(id))
    })
  }

  async #leaveThread(): Promise<void> {
    const { worker } = this.#thread
    // A late answer must not become another connection's first answer.
    const isIdle = this.#writer === undefined && this.#waiters.size === 0
    if (!isIdle || this.#isGone) {
      await worker.terminate()
      return
    }
    worker.off('message', this.#receive).off('error', this.#die).off('exit', this.#end)
    await this.#threads.giveBack(this.#thread)
  }

  readonly #receive = (answer: SqliteAnswer): void => {
    // Settles writes that were done before this answer was made.
    this.#settleWritten()
    if (answer !== 'shared') this.#settle(answer)
  }

  readonly #die = (error: unknown): void =>
    this.#onFatal(new Error('the SQLite worker failed', { cause: error }))

  readonly #end = (): void => {
    this.#isGone = true
    this.#fail(new StorageUnavailable('the SQLite worker has ended'))
  }

  #settle(answer: Exclude<SqliteAnswer, 'shared'>): void {
    const waiter = this.#waiters.get(answer.id)
    this.#waiters.delete(answer.id)
    if ('failure' in answer) {
      waiter?.reject(this.#translated(answer.failure))
      return
    }
    if (answer.changes > 0) this.#isCutOff = false
    waiter?.resolve({ rows: toObjects(answer), changes: answer.changes })
  }

  #settleWritten(): void {
    if (this.#writer === undefined) return
    const outcome = this.#thread.shared.takeOutcome()
    if (outcome === undefined) return
    const waiter = this.#writer
    this.#writer = undefined
    if (outcome === 'done') {
      this.#isCutOff = false
      waiter.resolve({ rows: [], changes: 0 })
    } else waiter.reject(this.#translated(outcome))
  }

  #translated(failure: SqliteFailure): Error {
    if (writeFailureCodes.has(sqliteCode(failure) ?? 0)) this.#isCutOff = true
    return this.load.failures.count(toStorageError(failure))
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
  10, // I/O error
  11, // corrupt
  13, // full
  14, // can't open
  26, // not a database
])

/** Of those, the ones that only a successful write proves to be over: read-only, I/O error, full. */
const writeFailureCodes: ReadonlySet<number> = new Set([8, 10, 13])

function toStorageError(failure: SqliteFailure): Error {
  const { message, resultCode } = failure
  if (resultCode !== undefined && uniqueCodes.has(resultCode)) return new UniqueViolation(message)
  if (resultCode === referenceCode) return new ReferenceViolation(message)
  const isUnavailable = unavailablePrimaryCodes.has(sqliteCode(failure) ?? 0)
  return isUnavailable
    ? new StorageUnavailable(message, { cause: failure })
    : new Error(message, { cause: failure })
}
