import { sql } from 'kysely'
import { rowList } from './sql-lists.ts'
import type { Database } from './storage.ts'

/** The keys of the islands that a user hosts. */
export async function islandsOfUser(db: Database, userKey: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('islands')
    .select('key')
    .where('user_key', '=', userKey)
    .execute()
  return rows.map(({ key }) => key)
}

/** The keys of the islands that name one of these as their neighbour. */
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
