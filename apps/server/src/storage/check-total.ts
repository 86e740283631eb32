import type { Transaction } from 'kysely'
import { lockTotal } from './locks.ts'
import type { Schema } from './schema.ts'
import { TotalReached } from './storage-error.ts'

/**
 * To be called in the transaction that adds a row. Keys are given once, so there are never more rows than
 * the last one's key says: they are counted only where that is past the total.
 * @throws TotalReached when there are `total` rows
 */
export async function checkTotal(
  transaction: Transaction<Schema>,
  table: 'users' | 'devices' | 'invites',
  total: number,
): Promise<void> {
  await lockTotal(transaction, table)
  const { last } = await transaction
    .selectFrom(table)
    .select((select) => select.fn.max('key').as('last'))
    .executeTakeFirstOrThrow()
  if ((last ?? 0) < total) return
  const { count } = await transaction
    .selectFrom(table)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= total) throw new TotalReached(`there are ${total} ${table}`)
}
