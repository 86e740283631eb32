import type { Progress } from './progress-line.ts'

/** Integers are bigint and other numbers are number, so that both databases give the same. */
export type Value = string | number | bigint | Uint8Array | null
export type Row = readonly Value[]

export interface PageLimits {
  readonly rows: number
  /** A page ends with the row that exceeds this. */
  readonly bytes: number
}

export const pageLimits: PageLimits = { rows: 4000, bytes: 4 * 1024 * 1024 }

export interface WatchedWork {
  readonly report?: ((progress: Progress) => void | Promise<void>) | undefined
  readonly signal?: AbortSignal | undefined
  readonly limits?: PageLimits | undefined
}

export interface StorageWork extends WatchedWork {
  readonly dataDir: string
  /** The address of a PostgreSQL database; without one, the data folder's SQLite file. */
  readonly databaseUrl?: string | undefined
}

export interface PageQuery {
  readonly table: string
  readonly columns: readonly string[]
  readonly where: string
  readonly parameters: Row
  readonly order: string
  /** The size of a row, in SQL; undefined if all rows are small. */
  readonly size: string | undefined
  readonly limits: PageLimits
}

export interface CopyEnd {
  readonly kind: 'sqlite' | 'postgres'
  readonly option: string
  /** A path, or an address without its password. */
  readonly name: string
  /** One statement text serves both databases, with parameters as $1, $2. */
  query(statement: string, parameters?: Row): Promise<readonly Row[]>
  page(query: PageQuery): Promise<readonly Row[]>
  insert(table: string, columns: readonly string[], rows: readonly Row[]): Promise<void>
  tables(): Promise<readonly string[]>
  /** In the same order on both databases. */
  columns(table: string): Promise<readonly Column[]>
  /** The highest key that each table has ever given, even to rows that are gone. */
  highestKeys(): Promise<ReadonlyMap<string, bigint>>
  /** Makes later keys higher than these, and than those of existing rows. */
  raiseHighestKeys(keys: ReadonlyMap<string, bigint>): Promise<void>
  isServerRunning(): Promise<boolean>
  /** A source is read as of one moment. This moves that moment to now. */
  readAnew(): Promise<void>
  clear(): Promise<void>
  migrate(): Promise<void>
  finish(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface Column {
  readonly name: string
  readonly isText: boolean
  /** What to sort rows by in SQL, so that texts are in the order of their code points. */
  readonly sortedBy: string
}

/** The operator has to decide or fix something first. The message is what they read. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused'
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
