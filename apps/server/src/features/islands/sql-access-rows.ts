import { sql, type RawBuilder, type SqlBool } from 'kysely'

/** Joined to `islands` in queries about who may see or enter them. */
export const joinHosts = sql`left join users as hosts on hosts.key = islands.user_key`

/** `isShown` of access-policy.ts, where `islands` is joined with its `hosts`. */
export const isShownIsland = sql<boolean>`(
  islands.published_ms is not null and islands.hidden_ms is null and hosts.disabled_ms is null)`

type PeopleTable = 'island_members' | 'island_blocks' | 'island_requests'

/** Whether a table of people has this user of this island. */
export function isPerson(table: PeopleTable, island: RawBuilder<unknown>, user: unknown) {
  return sql<SqlBool>`exists (
    select 1 from ${sql.table(table)} as people
    where people.island_key = ${island} and people.user_key = ${user})`
}

/** `mayEnter` of access-policy.ts in SQL, for lists that have to be filtered in the database. */
export function mayEnterIsland(viewerKey: number | null): RawBuilder<boolean> {
  if (viewerKey === null) return sql<boolean>`(${isShownIsland} and islands.access = 'public')`
  const isIn = (table: PeopleTable) => isPerson(table, sql`islands.key`, viewerKey)
  return sql<boolean>`(
    islands.user_key = ${viewerKey} or ${isShownIsland} and (
      islands.access = 'public' or not ${isIn('island_blocks')}
        and (islands.access = 'members' or ${isIn('island_members')})))`
}
