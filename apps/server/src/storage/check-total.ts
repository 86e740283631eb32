import type { Transaction } from 'kysely'
import { lockTotal } from './locks.ts'
import type { Schema } from './schema.ts'
import { TotalReached } from './storage-error.ts'

/**
 * To be called in the transaction that adds rows. Keys are given once, so there are never more rows than
 * the last one's key says: they are counted only where that is past the total.
 * @throws TotalReached when there would be more than `total` rows
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
