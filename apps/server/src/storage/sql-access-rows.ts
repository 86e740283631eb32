import { sql, type RawBuilder, type SqlBool } from 'kysely'

export type PeopleTable = 'island_members' | 'island_blocks' | 'island_requests'

/** Few users are disabled, and an index covers only those. */
export const disabledUsers = sql<number>`(select key from users where disabled_ms is not null)`

/** Whether everybody may see the device. */
export function isShownDevice(device = 'devices'): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${device}.${name}`)
  return sql<boolean>`(
    ${column('visibility')} = 'public' and ${column('hidden_ms')} is null
    and ${column('user_key')} not in ${disabledUsers})`
}

/** `isShown` of access-policy.ts. */
export function isShownIsland(island = 'islands'): RawBuilder<boolean> {
  const host = sql.ref(`${island}.user_key`)
  return sql<boolean>`(
    ${sql.ref(`${island}.published_ms`)} is not null and ${sql.ref(`${island}.hidden_ms`)} is null
    and (${host} is null or ${host} not in ${disabledUsers}))`
}

/** Whether a table of people has this user of this island. */
export function isPerson(table: PeopleTable, island: RawBuilder<unknown>, user: unknown) {
  return sql<SqlBool>`exists (
    select 1 from ${sql.table(table)} as people
    where people.island_key = ${island} and people.user_key = ${user})`
}

/** `mayEnter` of access-policy.ts, for lists that have to be filtered in the database. */
export function mayEnterIsland(viewerKey: number | null): RawBuilder<boolean> {
  if (viewerKey === null) return sql<boolean>`(${isShownIsland()} and islands.access = 'public')`
  const isIn = (table: PeopleTable) => isPerson(table, sql`islands.key`, viewerKey)
  return sql<boolean>`(
    islands.user_key = ${viewerKey} or ${isShownIsland()} and (
      islands.access = 'public' or not ${isIn('island_blocks')}
        and (islands.access = 'members' or ${isIn('island_members')})))`
}
