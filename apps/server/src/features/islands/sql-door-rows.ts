import { sql, type RawBuilder } from 'kysely'

/** To be joined to islands where it is asked who may enter them. */
export const joinHosts = sql`left join users as hosts on hosts.key = islands.user_key`

/** `mayEnter` of doors.ts for one viewer, where a list has to leave out in the database what is not for them. */
export function mayEnterIsland(viewerKey: number | null): RawBuilder<boolean> {
  const isShown = sql`
    islands.published_ms is not null and islands.hidden_ms is null and hosts.disabled_ms is null`
  if (viewerKey === null) return sql<boolean>`(${isShown} and islands.door = 'public')`
  const isIn = (table: 'island_members' | 'island_blocks') => sql`exists (
    select 1 from ${sql.table(table)} as people
    where people.island_key = islands.key and people.user_key = ${viewerKey})`
  return sql<boolean>`(
    islands.user_key = ${viewerKey} or ${isShown} and (
      islands.door = 'public' or not ${isIn('island_blocks')}
        and (islands.door = 'members' or ${isIn('island_members')})))`
}
