import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'

/** What the main thread asks of the SQLite worker; answers carry the id of what they answer. */
export interface SqliteRequest {
  readonly id: number
  readonly sql: string
  readonly parameters: readonly SQLInputValue[]
}

/** Rows as arrays: as objects they would carry the names of their columns a thousand times over. */
export interface SqliteRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SQLOutputValue[])[]
}

export type SqliteAnswer =
  | (SqliteRows & { readonly id: number; readonly changes: number })
  | { readonly id: number; readonly failure: SqliteFailure }

export interface SqliteFailure {
  readonly message: string
  /** SQLite's extended result code, where SQLite refused. */
  readonly resultCode: number | undefined
}

export interface SqliteWorkerData {
  readonly path: string
}
