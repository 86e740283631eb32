import { sql } from 'kysely'
import { rowList } from './sql-lists.ts'
import { lockRows } from './locks.ts'
import type { Database, DatabaseTransaction } from './storage.ts'

/** A user's picture, in a query that joins `users`. A disabled account shows none. */
export const shownAvatar = sql<
  string | null
>`case when users.disabled_ms is null then users.avatar end`

export function devicesOfUser(db: Database, userKey: number) {
  return db
    .selectFrom('devices')
    .select(['key', 'id'])
    .where('user_key', '=', userKey)
    .orderBy('key')
    .execute()
}

export async function islandsOfUser(db: Database, userKey: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('islands')
    .select('key')
    .where('user_key', '=', userKey)
    .execute()
  return rows.map(({ key }) => key)
}

/** Locks them until the transaction ends, in the order in which what they found is written. */
export async function lockChecks(
  transaction: DatabaseTransaction,
  of: 'user_key' | 'island_key',
  key: number,
): Promise<readonly number[]> {
  const rows = await transaction
    .selectFrom('checks')
    .select('key')
    .where(of, '=', key)
    .orderBy('key')
    .execute()
  const keys = rows.map((row) => row.key)
  await lockRows(transaction, 'checks', keys)
  return keys
}

export async function neighboursOf(
  db: Database,
  islandKeys: readonly number[],
): Promise<readonly number[]> {
  if (islandKeys.length === 0) return []
  const asked = rowList(db, { key: ['integer', islandKeys] })
  const { rows } = await sql<{ key: number }>`
    select distinct island_key as key from island_routes
    where neighbour_key in (select key from (${asked}) as asked)`.execute(db)
  return rows.map(({ key }) => key)
}

/** The keys of the islands where a user is a member, asked to become one, or wrote into the log. */
export async function islandsWithUser(db: Database, userKey: number): Promise<readonly number[]> {
  const { rows } = await sql<{ key: number }>`
    select island_key as key from island_members where user_key = ${userKey}
    union select island_key from island_requests where user_key = ${userKey}
    union select island_key from island_log where user_key = ${userKey}`.execute(db)
  return rows.map(({ key }) => key)
}

/** The keys of the islands that hold values of a user. */
export async function islandsWithValues(db: Database, userKey: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('island_values')
    .select('island_key')
    .distinct()
    .where('user_key', '=', userKey)
    .execute()
  return rows.map(({ island_key: key }) => key)
}

/** Pairs of these islands with their members and with those who asked to become one. */
export async function peopleOfIslands(
  db: Database,
  islandKeys: readonly number[],
): Promise<readonly (readonly [islandKey: number, userKey: number])[]> {
  if (islandKeys.length === 0) return []
  const asked = rowList(db, { key: ['integer', islandKeys] })
  const { rows } = await sql<{ island: number; person: number }>`
    with asked as (${asked})
    select island_key as island, user_key as person from island_members
    where island_key in (select key from asked)
    union all
    select island_key, user_key from island_requests
    where island_key in (select key from asked)`.execute(db)
  return rows.map(({ island, person }) => [island, person])
}
