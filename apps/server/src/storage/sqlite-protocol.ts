import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'

export interface SqliteStatement {
  readonly sql: string
  readonly parameters: readonly SQLInputValue[]
}

export interface SqliteTarget {
  readonly path: string
  /** Writes nothing, and waits for nobody who does. */
  readonly isReadOnly: boolean
}

/** What the main thread asks of the SQLite worker; answers carry the id of what they answer. */
export type SqliteRequest =
  /** The thread is free for another database then. */
  | { readonly id: number; readonly close: true }
  | (SqliteStatement & { readonly id: number })
  /** All of them or none, and never amid a transaction of single statements. */
  | { readonly id: number; readonly transaction: readonly SqliteStatement[] }

/** Rows as arrays: as objects they would carry the names of their columns a thousand times over. */
export interface SqliteRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SQLOutputValue[])[]
}

export type SqliteAnswer =
  | (SqliteRows & { readonly id: number; readonly changes: number })
  | { readonly id: number; readonly failure: SqliteFailure }
  /** The shared statement is answered, where it was asked to be told. */
  | 'shared'

export interface SqliteFailure {
  readonly message: string
  /** SQLite's extended result code, where SQLite refused. */
  readonly resultCode: number | undefined
}
