import type { ClientBase, QueryResult } from 'pg'
import { hasLostConnection, isWriteFailure, toStorageError } from './postgres-error.ts'
import type { PostgresSettings } from './postgres-settings.ts'
import { TextUnstorable } from './storage-error.ts'
import type { StorageFailures } from './storage-load.ts'

export class PostgresSession {
  readonly #client: ClientBase
  readonly #perTransaction: string
  readonly #failures: StorageFailures
  #isLost = false
  #isWriteRefused = false
  #hasWritten = false

  constructor(
    client: ClientBase,
    {
      perTransaction,
      failures,
    }: Pick<PostgresSettings, 'perTransaction'> & { readonly failures: StorageFailures },
  ) {
    this.#client = client
    this.#perTransaction = perTransaction
    this.#failures = failures
  }

  get isLost(): boolean {
    return this.#isLost
  }

  /** Whether the database accepts only reads, as on a full disk; undefined if nothing shows it. */
  get isWriteRefused(): boolean | undefined {
    return this.#isWriteRefused ? true : this.#hasWritten ? false : undefined
  }

  /** @throws UniqueViolation, ReferenceViolation, StorageUnavailable, TextUnstorable */
  async query(sql: string, parameters: readonly unknown[] = []): Promise<QueryResult> {
    const values = parameters.map(bindable)
    try {
      const result = await this.#client.query(sql, values)
      const isWrite = ['INSERT', 'UPDATE', 'DELETE'].includes(result.command)
      if (isWrite && (result.rowCount ?? 0) > 0) this.#hasWritten = true
      return result
    } catch (error) {
      throw this.#translated(error)
    }
  }

  /** Runs a statement outside any transaction, or in one of its own if the settings need that. */
  async queryAlone(sql: string, parameters?: readonly unknown[]): Promise<QueryResult> {
    if (this.#perTransaction === '') return await this.query(sql, parameters)
    await this.query(`begin; ${this.#perTransaction}`)
    try {
      const result = await this.query(sql, parameters)
      await this.query('commit')
      return result
    } catch (error) {
      await this.rollback()
      throw error
    }
  }

  /** The database has already done so for a lost session. @throws StorageUnavailable */
  async rollback(): Promise<void> {
    if (this.#isLost) return
    try {
      await this.query('rollback')
    } catch (error) {
      this.giveUp()
      throw error
    }
  }

  /** Holds the writer's row, so that changes are numbered in commit order. @returns false if it is gone */
  async begin(writer: number): Promise<boolean> {
    try {
      // One round trip: statements without parameters can be sent together.
      const results: unknown = await this.#client.query(
        `begin; ${this.#perTransaction}
         select from writers where writer = ${writer} for update`,
      )
      return Array.isArray(results) && results.at(-1)?.rowCount === 1
    } catch (error) {
      const failure = this.#translated(error)
      if (!this.#isLost) await this.query('rollback')
      throw failure
    }
  }

  #translated(error: unknown): Error {
    this.#isLost ||= hasLostConnection(error)
    this.#isWriteRefused ||= isWriteFailure(error)
    return this.#failures.count(toStorageError(error))
  }

  /** For a transaction that can't be rolled back. The database does that when the connection ends. */
  giveUp(): void {
    this.#isLost = true
  }
}

type Bindable = string | number | bigint | null | Uint8Array | readonly Bindable[]

/** Only plain values, as on SQLite, and lists of them. The driver would guess how to convert others. */
function bindable(value: unknown): Bindable {
  switch (typeof value) {
    case 'string':
      if (value.includes('\0')) throw new TextUnstorable('PostgreSQL can’t store NUL in a text')
      return value
    case 'number':
    case 'bigint':
      return value
    case 'boolean':
      return value ? 1 : 0
    default:
      if (value === null || value instanceof Uint8Array) return value
      if (Array.isArray(value)) return value.map(bindable)
      throw new TypeError(`PostgreSQL can't bind a value of type ${typeof value}`)
  }
}
