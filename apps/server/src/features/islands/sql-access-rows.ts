import { sql, type RawBuilder } from 'kysely'

/** Joined to `islands` in queries about who may enter them. */
export const joinHosts = sql`left join users as hosts on hosts.key = islands.user_key`

/** `mayEnter` of access-policy.ts in SQL, for lists that have to be filtered in the database. */
export function mayEnterIsland(viewerKey: number | null): RawBuilder<boolean> {
  const isShown = sql`
    islands.published_ms is not null and islands.hidden_ms is null and hosts.disabled_ms is null`
  if (viewerKey === null) return sql<boolean>`(${isShown} and islands.access = 'public')`
  const isIn = (table: 'island_members' | 'island_blocks') => sql`exists (
    select 1 from ${sql.table(table)} as people
    where people.island_key = islands.key and people.user_key = ${viewerKey})`
  return sql<boolean>`(
    islands.user_key = ${viewerKey} or ${isShown} and (
      islands.access = 'public' or not ${isIn('island_blocks')}
        and (islands.access = 'members' or ${isIn('island_members')})))`
}
