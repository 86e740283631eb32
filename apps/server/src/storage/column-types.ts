import { sql, type ColumnDefinitionBuilder, type Kysely, type RawBuilder } from 'kysely'
import { isPostgres } from './database-kind.ts'

/** What PostgreSQL calls otherwise than SQLite, or has to be told of: for migrations. */

/** A key that is made for each row and never given twice. */
export function generatedKey(db: Kysely<unknown>) {
  return (column: ColumnDefinitionBuilder) =>
    isPostgres(db)
      ? column.primaryKey().generatedByDefaultAsIdentity()
      : column.primaryKey().autoIncrement()
}

/** Of keys that are made by the thousand: SQLite's integers have 64 bits. */
export function longInteger(db: Kysely<unknown>): 'bigint' | 'integer' {
  return isPostgres(db) ? 'bigint' : 'integer'
}

export function bytes(db: Kysely<unknown>): 'bytea' | 'blob' {
  return isPostgres(db) ? 'bytea' : 'blob'
}

/** Text in the order of its code points, whatever language the database speaks. */
export function codePointText(db: Kysely<unknown>): 'text' | RawBuilder<unknown> {
  return isPostgres(db) ? sql`text collate "C"` : 'text'
}

/**
 * Leaves room on the pages of a table whose rows are updated often: a new version of a row on the page
 * of the old one needs no new entry in any index (HOT), and is cleared away without a vacuum.
 */
export async function leaveRoomForUpdates(
  db: Kysely<unknown>,
  table: string,
  fillPercent: number,
): Promise<void> {
  if (!isPostgres(db)) return
  await sql`alter table ${sql.table(table)} set (fillfactor = ${sql.lit(fillPercent)})`.execute(db)
}
