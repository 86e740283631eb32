import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'

/** What the main thread asks of the SQLite worker; answers carry the id of what they answer. */
export interface SqliteRequest {
  readonly id: number
  readonly sql: string
  readonly parameters: readonly SQLInputValue[]
}

export type SqliteAnswer =
  | {
      readonly id: number
      readonly rows: readonly Record<string, SQLOutputValue>[]
      readonly changes: number
    }
  | { readonly id: number; readonly failure: SqliteFailure }

export interface SqliteFailure {
  readonly message: string
  /** SQLite's extended result code, where SQLite refused. */
  readonly resultCode: number | undefined
}

export interface SqliteWorkerData {
  readonly path: string
}
