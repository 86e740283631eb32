import { sql, type Transaction } from 'kysely'
import { isPostgres } from './database-kind.ts'
import type { Schema } from './schema.ts'

/**
 * For what is counted before it is added to, where several servers share a PostgreSQL: until the
 * transaction ends others wait who hold the same. SQLite has one writer, who waits for nobody.
 */

/** @param keys of users, devices or islands, in any order; those that are gone are passed over */
export async function lockRows(
  transaction: Transaction<Schema>,
  table: 'users' | 'devices' | 'islands',
  keys: readonly number[],
): Promise<void> {
  if (!isPostgres(transaction)) return
  // In one order, so that two who hold several never wait for one another.
  await sql`
    select key from ${sql.table(table)} where key = any(${keys}::integer[])
    order by key for no key update`.execute(transaction)
}

/** `astr`: https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS */
const lockClass = 0x61_73_74_72
/** Of who moves data into a database. */
export const copyLock = `${lockClass}, 0`
/** From 1 on: each total has one of its own. */
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
