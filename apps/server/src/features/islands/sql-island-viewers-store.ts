import { sql } from 'kysely'
import { rowList } from '../../storage/sql-lists.ts'
import type { Database } from '../../storage/storage.ts'
import type { IslandViewersStore } from './island-viewers-store.ts'

export function sqlIslandViewersStore(db: Database): IslandViewersStore {
  return {
    read: async (islandKey, userKeys) => {
      const asked = rowList(db, { key: ['integer', userKeys] })
      const isIn = (table: 'island_members' | 'island_blocks') => sql<number>`(
        select count(*) from ${sql.table(table)} as people
        where people.island_key = ${islandKey} and people.user_key = asked.key
      )`
      const { rows } = await sql<{ key: number; is_member: number; is_blocked: number }>`
        select asked.key, ${isIn('island_members')} as is_member,
          ${isIn('island_blocks')} as is_blocked
        from (${asked}) as asked`.execute(db)
      return rows.map(({ key, is_member, is_blocked }) => ({
        userKey: key,
        isMember: is_member === 1,
        isBlocked: is_blocked === 1,
      }))
    },
  }
}
