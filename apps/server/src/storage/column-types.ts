import { sql, type ColumnDefinitionBuilder, type Kysely, type RawBuilder } from 'kysely'
import { isPostgres } from './database-kind.ts'

/** What differs between PostgreSQL and SQLite in migrations. */

/** A generated primary key that is never reused. */
export function generatedKey(db: Kysely<unknown>) {
  return (column: ColumnDefinitionBuilder) =>
    isPostgres(db)
      ? column.primaryKey().generatedByDefaultAsIdentity()
      : column.primaryKey().autoIncrement()
}

/** For keys that outgrow 32 bits. SQLite's integers always have 64. */
export function longInteger(db: Kysely<unknown>): 'bigint' | 'integer' {
  return isPostgres(db) ? 'bigint' : 'integer'
}

export function bytes(db: Kysely<unknown>): 'bytea' | 'blob' {
  return isPostgres(db) ? 'bytea' : 'blob'
}

/** Text that sorts by code point, whatever the database's collation. */
export function codePointText(db: Kysely<unknown>): 'text' | RawBuilder<unknown> {
  return isPostgres(db) ? sql`text collate "C"` : 'text'
}

/**
 * Leaves free space on each page of a table whose rows are updated often. A new version of a row on the
 * same page needs no new index entries (HOT), and the old one is cleared away without a vacuum.
 */
export async function leaveRoomForUpdates(
  db: Kysely<unknown>,
  table: string,
  fillPercent: number,
): Promise<void> {
  if (!isPostgres(db)) return
  await sql`alter table ${sql.table(table)} set (fillfactor = ${sql.lit(fillPercent)})`.execute(db)
}
