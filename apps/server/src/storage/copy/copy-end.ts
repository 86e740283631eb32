/** Integers are bigint, whatever their size, and other numbers are number: the same on both databases. */
export type Value = string | number | bigint | Uint8Array | null
/** The values of a row in the order of the columns that were asked for. */
export type Row = readonly Value[]

/** What is held of a table at a time. */
export interface PageLimits {
  readonly rows: number
  /** A page ends with the row that is past it. */
  readonly bytes: number
}

export interface PageQuery {
  readonly table: string
  /** All of the table. */
  readonly columns: readonly string[]
  /** A condition, with its parameters. */
  readonly where: string
  readonly parameters: Row
  readonly order: string
  /** How large a row is, in SQL; undefined where all are small. */
  readonly size: string | undefined
  readonly limits: PageLimits
}

/** The database that is copied from, or to. */
export interface CopyEnd {
  readonly kind: 'sqlite' | 'postgres'
  /** By which option or setting the operator named it. */
  readonly option: string
  /** How people know it: a path, or an address without its password. */
  readonly name: string
  /** Statements are one text for both databases, with parameters as $1, $2. */
  query(statement: string, parameters?: Row): Promise<readonly Row[]>
  /** The first rows that meet a condition. */
  page(query: PageQuery): Promise<readonly Row[]>
  /** Keeps all of the rows or none. */
  insert(table: string, columns: readonly string[], rows: readonly Row[]): Promise<void>
  /** Everything that is in it, be it ours or not. */
  tables(): Promise<readonly string[]>
  /** In an order that is the same on both databases. */
  columns(table: string): Promise<readonly Column[]>
  /** The highest key that each table has given, also to rows that are gone. */
  highestKeys(): Promise<ReadonlyMap<string, bigint>>
  /** Keys that come later are higher than these, and than those of rows that are there. */
  raiseHighestKeys(keys: ReadonlyMap<string, bigint>): Promise<void>
  isServerRunning(): Promise<boolean>
  /** For a source, that is read as of one moment: from here on as of now. */
  readAnew(): Promise<void>
  /** Forgets what servers that ran on it left for one another. */
  clear(): Promise<void>
  /** Brings its schema to this version. */
  migrate(): Promise<void>
  /** To be called once all is there. */
  finish(): Promise<void>
  close(): Promise<void>
}

export interface Column {
  readonly name: string
  readonly isText: boolean
  /** What rows are sorted by it with: texts in the order of their code points. */
  readonly sortedBy: string
}

/** Something the operator has to decide or to mend first; the message is what they read. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused'
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
