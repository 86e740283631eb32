import type { SelectQueryBuilder } from 'kysely'
import type { Schema } from './schema.ts'

/** How many rows a query finds. Call it before anything is selected. */
export async function countRows<Table extends keyof Schema>(
  rows: SelectQueryBuilder<Schema, Table, object>,
): Promise<number> {
  const { count } = await rows
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
