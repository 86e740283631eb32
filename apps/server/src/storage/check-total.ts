import type { Transaction } from 'kysely'
import { lockTotal } from './locks.ts'
import type { Schema } from './schema.ts'
import { TotalReached } from './storage-error.ts'

/**
 * Call it in the transaction that adds the rows. Keys are never reused, so there are never more rows than
 * the highest key says. They are counted only if that exceeds the total.
 * @throws TotalReached if there would be more than `total` rows
 */
export async function checkTotal(
  transaction: Transaction<Schema>,
  table: 'users' | 'devices' | 'invites' | 'islands',
  total: number,
  added = 1,
): Promise<void> {
  await lockTotal(transaction, table)
  const { last } = await transaction
    .selectFrom(table)
    .select((select) => select.fn.max('key').as('last'))
    .executeTakeFirstOrThrow()
  if ((last ?? 0) + added <= total) return
  const { count } = await transaction
    .selectFrom(table)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count + added > total) throw new TotalReached(`there are ${total} ${table}`)
}
