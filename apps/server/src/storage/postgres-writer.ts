import { Client } from 'pg'
import { toStorageError } from './postgres-error.ts'
import { databaseNow } from './postgres-instance.ts'
import { PostgresSession } from './postgres-session.ts'
import type { PostgresSettings, TimeLimits } from './postgres-settings.ts'
import { StorageUnavailable } from './storage-error.ts'
import type { StorageFailures } from './storage-load.ts'

/** More writes are refused, so that a slow database does not fill the memory. */
const maxWaiting = 5000
/** The time between two attempts to connect. Writes meanwhile fail at once. */
const retryMs = 250

interface WriterOptions {
  readonly settings: PostgresSettings
  readonly failures: StorageFailures
  readonly limits: Pick<TimeLimits, 'turnMs'>
  /** Called when other servers have given this one up: its memory is too old to go on from. */
  readonly onFatal: (error: Error) => void
  readonly onCommit: () => void
  /** Called when a connection broke while it was in use: its changes may be committed or not. */
  readonly onDoubt: () => void
}

/**
 * The one connection that writes. Writers take turns in the order of their calls, so that memory learns of
 * writes in the order of their commits. Each transaction locks the server's row in `writers`, so that this
 * holds even across two connections, the first of which was cut.
 */
export class PostgresWriter {
  readonly #options: WriterOptions
  readonly #waiting = new Set<() => void>()
  #isTaken = false
  #client: Client | undefined
  #number: number | undefined
  #failure: Error | undefined
  #isWriteRefused = false
  #isClosed = false
  #begun = 0
  #ended = 0
  #reconnecting: NodeJS.Timeout | undefined

  private constructor(options: WriterOptions) {
    this.#options = options
  }

  /** @throws StorageUnavailable */
  static async open(options: WriterOptions): Promise<PostgresWriter> {
    const writer = new PostgresWriter(options)
    await writer.use(async () => undefined)
    return writer
  }

  /** Call it once the schema is there. From then on this server's changes are recorded. */
  async register(): Promise<void> {
    const { rows } = await this.use((session) =>
      session.query(`insert into writers (alive_ms) values (${databaseNow}) returning writer`),
    )
    this.#number = Number(rows[0]?.writer)
  }

  get number(): number {
    if (this.#number === undefined) throw new Error('this server is not registered yet')
    return this.#number
  }

  get turns(): { readonly begun: number; readonly ended: number } {
    return { begun: this.#begun, ended: this.#ended }
  }

  get waitingCount(): number {
    return this.#waiting.size
  }

  /** Whether the last write was refused, as on a full disk. Reads alone would not notice. */
  get isCutOff(): boolean {
    return this.#isWriteRefused
  }

  /** For a task that needs a session to itself. @throws StorageUnavailable */
  async use<Result>(
    task: (session: PostgresSession) => Promise<Result>,
    how: { readonly isQuiet?: boolean } = {},
  ): Promise<Result> {
    const session = await this.acquire()
    try {
      return await task(session)
    } finally {
      this.release(session, how)
    }
  }

  /** Changes in the transaction get numbers of this server. @throws StorageUnavailable */
  async begin(session: PostgresSession): Promise<void> {
    if (await session.begin(this.number)) return
    session.giveUp()
    throw this.giveUp()
  }

  /** Call it if this server's row is gone. @returns the error to throw */
  giveUp(reason = 'this server was away from its database for too long'): StorageUnavailable {
    this.#isClosed = true
    this.#options.onFatal(new Error(reason))
    return new StorageUnavailable(reason)
  }

  /** Waits for a write turn. Release the session afterwards. @throws StorageUnavailable */
  async acquire(): Promise<PostgresSession> {
    await this.#turn()
    this.#begun += 1
    try {
      this.#client ??= await this.#connect()
      return this.#sessionOf(this.#client)
    } catch (error) {
      this.#ended += 1
      this.#next()
      throw error instanceof Error ? this.#options.failures.count(error) : error
    }
  }

  /** @param isQuiet true if other servers need not know what was written */
  release(session: PostgresSession, { isQuiet = false } = {}): void {
    this.#isWriteRefused = session.isWriteRefused ?? this.#isWriteRefused
    if (session.isLost) {
      this.#options.onDoubt()
      this.#lose()
    }
    if (session.isWriteRefused === false && !isQuiet) this.#options.onCommit()
    this.#ended += 1
    this.#next()
  }

  async close(): Promise<void> {
    const number = this.#number
    if (!this.#isClosed && number !== undefined) {
      // If this fails, other servers find out by themselves.
      await this.use((session) =>
        session.query('update writers set is_running = false where writer = $1', [number]),
      ).catch(() => undefined)
    }
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
    const { limits, failures } = this.#options
    if (this.#waiting.size >= maxWaiting) {
      throw failures.count(new StorageUnavailable('too many writes are waiting'))
    }
    await new Promise<void>((resolve, reject) => {
      const { turnMs } = limits
      const giveUp = () => {
        this.#waiting.delete(start)
        reject(failures.count(new StorageUnavailable('the write waited too long for its turn')))
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
    const client = new Client(settings.client)
    // Between two statements, no caller gets the error.
    client.on('error', () => this.#lose(client))
    client.on('end', () => this.#lose(client))
    try {
      await client.connect()
      await this.#endEarlierWrites(client)
      return client
    } catch (error) {
      client.end().catch(() => undefined)
      throw this.#failToConnect(toStorageError(error))
    }
  }

  /** A connection that was cut may live on in the database, with the row that the next transaction needs. */
  async #endEarlierWrites(client: Client): Promise<void> {
    await this.#sessionOf(client).query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = $1
         and backend_xid is not null and pid <> pg_backend_pid()`,
      [this.#options.settings.client.application_name],
    )
  }

  #sessionOf(client: Client): PostgresSession {
    const { settings, failures } = this.#options
    return new PostgresSession(client, { ...settings, failures })
  }

  #failToConnect(failure: Error): Error {
    if (this.#number === undefined) return failure
    this.#failure = new StorageUnavailable(failure.message, { cause: failure })
    this.#reconnectSoon()
    return this.#failure
  }

  #lose(client = this.#client): void {
    if (client === undefined || client !== this.#client) return
    this.#client = undefined
    client.end().catch(() => undefined)
    this.#reconnectSoon()
  }

  /** The next write would otherwise have to wait for the connection. */
  #reconnectSoon(): void {
    if (this.#isClosed || this.#number === undefined || this.#reconnecting !== undefined) return
    this.#reconnecting = setTimeout(() => {
      this.#reconnecting = undefined
      this.#failure = undefined
      this.use(async () => undefined).catch(() => this.#reconnectSoon())
    }, retryMs)
    this.#reconnecting.unref()
  }
}
