import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'

export interface SqliteStatement {
  readonly sql: string
  readonly parameters: readonly SQLInputValue[]
}

export interface SqliteTarget {
  readonly path: string
  readonly isReadOnly: boolean
}

export type SqliteRequest =
  /** Afterwards the thread is free for another database. */
  | { readonly id: number; readonly close: true }
  | (SqliteStatement & { readonly id: number })
  /** All statements or none, and never inside a transaction of single statements. */
  | {
      readonly id: number
      readonly transaction: readonly SqliteStatement[]
      /** The next synced commit makes it durable. Until then, a loss of power may undo it. */
      readonly isUnsynced?: boolean
    }

/** Rows as arrays. Objects would repeat the column names in each row. */
export interface SqliteRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SQLOutputValue[])[]
}

export type SqliteAnswer =
  | (SqliteRows & { readonly id: number; readonly changes: number })
  | { readonly id: number; readonly failure: SqliteFailure }
  /** The shared statement is answered. Sent only if the main thread asked for it. */
  | 'shared'

export interface SqliteFailure {
  readonly message: string
  /** SQLite's extended result code; undefined if the error is not SQLite's. */
  readonly resultCode: number | undefined
  /** What failed, without its parameters. */
  readonly sql?: string
}
