import { sql, type Kysely, type RawBuilder } from 'kysely'
import { isPostgres } from './database-kind.ts'

type ListType = 'integer' | 'bigint' | 'double precision' | 'text'

/** A column of a list: its type, and one value for each row. */
type ListColumn = readonly [type: ListType, values: readonly (number | string | null | undefined)[]]

/**
 * A table of rows that is sent with the statement. Its SQL text is the same for any number of rows: it has
 * one parameter for each column, or one for all. Besides its columns it has `position`, which grows from
 * row to row.
 */
export function rowList<Tables>(
  db: Kysely<Tables>,
  columns: Readonly<Record<string, ListColumn>>,
): RawBuilder<unknown> {
  const entries = Object.entries(columns)
  if (isPostgres(db)) {
    const arrays = entries.map(([, [type, values]]) => sql`${values}::${sql.raw(type)}[]`)
    const names = [...Object.keys(columns), 'position'].map((name) => sql.ref(name))
    return sql`select * from unnest(${sql.join(arrays)}) with ordinality as given (${sql.join(names)})`
  }
  const [[, [, first]] = ['', ['integer', []]]] = entries
  const rows = first.map((_, row) => entries.map(([, [, values]]) => values[row]))
  const selected = entries.map(
    ([name], index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(name)}`,
  )
  return sql`select key as position, ${sql.join(selected)} from json_each(${JSON.stringify(rows)})`
}

/** Whether a column has one of these values. */
export function isAmong<Tables>(
  db: Kysely<Tables>,
  column: string,
  list: ListColumn,
): RawBuilder<boolean> {
  return sql`${sql.ref(column)} in (select item from (${rowList(db, { item: list })}) as asked)`
}

/**
 * A column of many rows as one JSON text, which costs a twentieth of row objects to transfer.
 * @param only a condition on the rows; by default all of them
 */
export function jsonColumn<Tables>(
  db: Kysely<Tables>,
  column: string,
  only: RawBuilder<boolean> = sql.lit(true),
): RawBuilder<string> {
  return isPostgres(db)
    ? sql`coalesce(json_agg(${sql.ref(column)}) filter (where ${only}), '[]')::text`
    : sql`json_group_array(${sql.ref(column)}) filter (where ${only})`
}

/** The bytes of a column of many rows, one after the other, in hexadecimal; null without rows. */
export function joinedHex<Tables>(db: Kysely<Tables>, column: string): RawBuilder<string | null> {
  return isPostgres(db)
    ? sql`encode(string_agg(${sql.ref(column)}, ''), 'hex')`
    : sql`group_concat(hex(${sql.ref(column)}), '')`
}

/** The bytes of a column that holds them in hexadecimal. */
export function fromHex<Tables>(db: Kysely<Tables>, column: string): RawBuilder<Uint8Array> {
  return isPostgres(db) ? sql`decode(${sql.ref(column)}, 'hex')` : sql`unhex(${sql.ref(column)})`
}
