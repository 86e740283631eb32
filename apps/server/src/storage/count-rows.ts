import type { SelectQueryBuilder } from 'kysely'

/** How many rows a query finds. Call it before anything is selected. */
export async function countRows<Tables, Table extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const { count } = await rows
    .select((select) => select.fn.countAll<number>().as('count'))
    .$castTo<{ count: number }>()
    .executeTakeFirstOrThrow()
  return count
}

export async function countDeleted(statement: {
  readonly executeTakeFirst: () => Promise<{ readonly numDeletedRows: bigint }>
}): Promise<number> {
  return Number((await statement.executeTakeFirst()).numDeletedRows)
}

export async function hasUpdated(statement: {
  readonly executeTakeFirst: () => Promise<{ readonly numUpdatedRows: bigint }>
}): Promise<boolean> {
  return (await statement.executeTakeFirst()).numUpdatedRows > 0n
}
