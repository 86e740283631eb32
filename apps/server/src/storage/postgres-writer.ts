import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { toStorageError } from './postgres-error.ts'
import { beginTerm, hasCommitted, lockDatabase, readTerm } from './postgres-server-lock.ts'
import { PostgresSession } from './postgres-session.ts'
import type { PostgresSettings, TimeLimits } from './postgres-settings.ts'
import { DatabaseLocked, StorageUnavailable } from './storage-error.ts'

/** Past this, whoever wants to write is told so: a slow database must not fill the memory. */
const maxWaiting = 5000
/** Between two tries to connect; what comes meanwhile fails at once. */
const retryMs = 250

interface WriterOptions {
  readonly settings: PostgresSettings
  readonly limits: Pick<TimeLimits, 'turnMs' | 'handOverMs'>
  /** Called when what this server knows is old, since another one had the database or a change went unseen. */
  readonly onFatal: (error: Error) => void
}

/**
 * The one connection that writes, and holds the lock that keeps other servers off the database: lost,
 * nothing is written until it is back with the lock. Whoever writes takes turns, in the order of the
 * calls, so that what memory learns of two writes comes in the order in which they were committed.
 */
export class PostgresWriter {
  readonly #options: WriterOptions
  readonly #waiting = new Set<() => void>()
  #isTaken = false
  #client: Client | undefined
  #term: number | undefined
  #failure: Error | undefined
  #isWriteRefused = false
  #isClosed = false
  #reconnecting: NodeJS.Timeout | undefined
  /** Transactions that were cut off at their end. */
  #doubtful: string[] = []

  private constructor(options: WriterOptions) {
    this.#options = options
  }

  /** @throws DatabaseLocked, StorageUnavailable */
  static async open(options: WriterOptions): Promise<PostgresWriter> {
    const writer = new PostgresWriter(options)
    const untilMs = performance.now() + options.limits.handOverMs
    for (;;) {
      try {
        await writer.use(async () => undefined)
        return writer
      } catch (error) {
        if (!(error instanceof DatabaseLocked) || performance.now() > untilMs) throw error
        await wait(retryMs)
      }
    }
  }

  /** To be called once the schema is there: from now on a lost lock is taken again. */
  async beginTerm(): Promise<void> {
    this.#term = await this.use(beginTerm)
  }

  /** Whether the last write was refused, as on a full disk: what only reads would not notice. */
  get isCutOff(): boolean {
    return this.#isWriteRefused
  }

  /** Runs something that needs a session to itself. @throws StorageUnavailable */
  async use<Result>(task: (session: PostgresSession) => Promise<Result>): Promise<Result> {
    const session = await this.acquire()
    try {
      return await task(session)
    } finally {
      this.release(session)
    }
  }

  /** @throws StorageUnavailable; what it returns has to be released */
  async acquire(): Promise<PostgresSession> {
    await this.#turn()
    try {
      this.#client ??= await this.#connect()
      return new PostgresSession(this.#client)
    } catch (error) {
      this.#next()
      throw error
    }
  }

  release(session: PostgresSession): void {
    this.#isWriteRefused = session.isWriteRefused ?? this.#isWriteRefused
    if (session.isLost) this.#lose()
    this.#next()
  }

  /** To be called where nobody knows whether a transaction is kept, and its caller is told that it is not. */
  doubt(transactionId: string): void {
    this.#doubtful.push(transactionId)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#reconnecting)
    const client = this.#client
    this.#client = undefined
    await client?.end()
  }

  async #turn(): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true
      return
    }
    if (this.#waiting.size >= maxWaiting) throw new StorageUnavailable('too many wait to write')
    await new Promise<void>((resolve, reject) => {
      const { turnMs } = this.#options.limits
      const giveUp = () => {
        this.#waiting.delete(start)
        reject(new StorageUnavailable('it took too long until it could be written'))
      }
      const timer = turnMs > 0 ? setTimeout(giveUp, turnMs) : undefined
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#waiting.add(start)
    })
  }

  #next(): void {
    const [start] = this.#waiting
    if (start === undefined) {
      this.#isTaken = false
      return
    }
    this.#waiting.delete(start)
    start()
  }

  async #connect(): Promise<Client> {
    if (this.#isClosed) throw new StorageUnavailable('the storage is closed')
    if (this.#failure !== undefined) throw this.#failure
    const { settings } = this.#options
    const client = new Client(settings)
    // Between two statements nobody else hears of it; during one its own caller does.
    client.on('error', () => this.#lose(client))
    client.on('end', () => this.#lose(client))
    try {
      await client.connect()
      const session = new PostgresSession(client)
      await lockDatabase(session, settings.application_name)
      if (this.#term !== undefined && (await readTerm(session)) !== this.#term) {
        throw new DatabaseLocked()
      }
      await this.#resolveDoubts(session)
      return client
    } catch (error) {
      client.end().catch(() => undefined)
      throw this.#noteFailure(error)
    }
  }

  /** Whoever held the lock before is gone, and with it whatever was under way. */
  async #resolveDoubts(session: PostgresSession): Promise<void> {
    const [id] = this.#doubtful
    if (id === undefined) return
    if (await hasCommitted(session, id)) {
      this.#isClosed = true
      const error = new Error('a change was kept whose caller was told otherwise: memory is old')
      this.#options.onFatal(error)
      throw error
    }
    this.#doubtful.shift()
    await this.#resolveDoubts(session)
  }

  #noteFailure(error: unknown): Error {
    const failure = error instanceof DatabaseLocked ? error : toStorageError(error)
    if (this.#term === undefined) return failure
    if (failure instanceof DatabaseLocked) {
      this.#isClosed = true
      this.#options.onFatal(new Error('another server has taken the database', { cause: failure }))
    }
    const unavailable = new StorageUnavailable(failure.message, { cause: failure })
    this.#failure = unavailable
    this.#reconnectSoon()
    return unavailable
  }

  /** @param client where it was another one than the present, nothing is lost */
  #lose(client = this.#client): void {
    if (client === undefined || client !== this.#client) return
    this.#client = undefined
    client.end().catch(() => undefined)
    this.#reconnectSoon()
  }

  /** Without waiting for somebody to write: the lock is the server's for as long as it can have it. */
  #reconnectSoon(): void {
    if (this.#isClosed || this.#term === undefined || this.#reconnecting !== undefined) return
    this.#reconnecting = setTimeout(() => {
      this.#reconnecting = undefined
      this.#failure = undefined
      this.use(async () => undefined).catch(() => this.#reconnectSoon())
    }, retryMs)
    this.#reconnecting.unref()
  }
}
