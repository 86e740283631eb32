import { sql } from 'kysely'
import { rowList } from '../../storage/sql-lists.ts'
import type { Database } from '../../storage/storage.ts'
import type { IslandViewersStore } from './island-viewers.ts'
import { isPerson } from './sql-access-rows.ts'

export function sqlIslandViewersStore(db: Database): IslandViewersStore {
  return {
    read: async (pairs) => {
      if (pairs.length === 0) return []
      const asked = rowList(db, {
        user_key: ['integer', pairs.map(({ userKey }) => userKey)],
        island_key: ['integer', pairs.map(({ islandKey }) => islandKey)],
      })
      // Made with the query builder: PostgreSQL then reads it on any connection. Raw SQL would wait for
      // writes.
      const rows = await db
        .selectFrom(sql<{ user_key: number; island_key: number }>`(${asked})`.as('asked'))
        .innerJoin('islands', 'islands.key', 'asked.island_key')
        .leftJoin('users as hosts', 'hosts.key', 'islands.user_key')
        .leftJoin('users', 'users.key', 'asked.user_key')
        .select(['asked.user_key as userKey', 'users.username_folded as username'])
        .select(['islands.key as islandKey', 'islands.access', 'islands.is_listed'])
        .select(['islands.user_key as hostKey', 'hosts.disabled_ms as hostDisabledMs'])
        .select(['islands.published_ms as publishedMs', 'islands.hidden_ms as hiddenMs'])
        .select([isIn('island_members').as('isMember'), isIn('island_blocks').as('isBlocked')])
        .select(isIn('island_requests').as('hasAsked'))
        .execute()
      return rows.map((row) => {
        const { userKey, username, islandKey, isMember, isBlocked, hasAsked, ...island } = row
        return {
          userKey,
          username,
          islandKey,
          island: Object.assign(island, { isListed: island.is_listed === 1 }),
          viewer: {
            userKey,
            isMember: Boolean(isMember),
            isBlocked: Boolean(isBlocked),
            hasAsked: Boolean(hasAsked),
          },
        }
      })
    },
  }
}

function isIn(table: 'island_members' | 'island_blocks' | 'island_requests') {
  return isPerson(table, sql`asked.island_key`, sql`asked.user_key`)
}
