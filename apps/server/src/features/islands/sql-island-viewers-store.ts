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
      // Built, so that PostgreSQL has any connection read it: written as it is it would wait for writes.
      const rows = await db
        .selectFrom(sql<{ key: number }>`(${asked})`.as('asked'))
        .select([
          'asked.key',
          isIn('island_members').as('is_member'),
          isIn('island_blocks').as('is_blocked'),
        ])
        .execute()
      return rows.map(({ key, is_member, is_blocked }) => ({
        userKey: key,
        isMember: is_member === 1,
        isBlocked: is_blocked === 1,
      }))
    },
  }
}
