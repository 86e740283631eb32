import { sql, type Transaction } from 'kysely'
import { countRows } from './count-rows.ts'
import { isPostgres } from './database-kind.ts'
import type { Schema } from './schema.ts'
import { TotalReached } from './storage-error.ts'

/**
 * Locks for code that counts rows before it adds more, for several servers on one PostgreSQL. A lock is
 * held until the transaction ends. SQLite has one writer and needs no locks.
 */

/** @param keys in any order; missing ones are skipped */
export async function lockRows(
  transaction: Transaction<Schema>,
  table: 'users' | 'devices' | 'islands' | 'checks',
  keys: readonly number[],
): Promise<void> {
  if (!isPostgres(transaction)) return
  // Always in one order, so that two transactions never deadlock.
  await sql`
    select key from ${sql.table(table)} where key = any(${keys}::integer[])
    order by key for no key update`.execute(transaction)
}

/** `astr`: https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS */
const lockClass = 0x61_73_74_72
/** Held while data is copied into a database. */
export const copyLock = `${lockClass}, 0`
/** One for each total, from 1 on, because 0 is `copyLock`. */
export const lockNumbers = {
  users: 1,
  devices: 2,
  llm_usage: 3,
  invites: 4,
  reports: 5,
  announcements: 6,
  islands: 7,
  island_slugs: 8,
  relay_ports: 9,
  relay_domains: 10,
  page_deployments: 11,
  checks: 12,
  neighbours: 13,
} as const

export async function lockTotal(
  transaction: Transaction<Schema>,
  table: keyof typeof lockNumbers,
): Promise<void> {
  if (!isPostgres(transaction)) return
  await sql`
    select pg_advisory_xact_lock(${sql.lit(lockClass)}, ${sql.lit(lockNumbers[table])})`.execute(
    transaction,
  )
}

/** Counts rows only if the highest key exceeds the total: keys are never reused. @throws TotalReached */
export async function checkTotal(
  transaction: Transaction<Schema>,
  table: 'users' | 'devices' | 'invites' | 'islands' | 'checks',
  total: number,
  added = 1,
): Promise<void> {
  await lockTotal(transaction, table)
  const { last } = await transaction
    .selectFrom(table)
    .select((select) => select.fn.max('key').as('last'))
    .executeTakeFirstOrThrow()
  if ((last ?? 0) + added <= total) return
  const count = await countRows(transaction.selectFrom(table))
  if (count + added > total) throw new TotalReached(`there are ${total} ${table}`)
}
