import { sql } from 'kysely'
import { rowList } from '../../storage/sql-lists.ts'
import type { Database } from '../../storage/storage.ts'
import type { IslandUser, IslandViewersStore } from './island-viewers.ts'
import { isPerson } from './sql-access-rows.ts'

export function sqlIslandViewersStore(db: Database): IslandViewersStore {
  return {
    read: async (islandKey, userKeys) => {
      const pairs = userKeys.map((userKey) => ({ userKey, islandKey }))
      const rows = await selectPairs(db, pairs)
        .leftJoin('users', 'users.key', 'asked.user_key')
        .select('users.username_folded as username')
        .execute()
      return rows.map(({ userKey, username, isMember, isBlocked }) => ({
        userKey,
        username,
        isMember: Boolean(isMember),
        isBlocked: Boolean(isBlocked),
      }))
    },

    readPairs: async (pairs) => {
      if (pairs.length === 0) return []
      const rows = await selectPairs(db, pairs)
        .innerJoin('islands', 'islands.key', 'asked.island_key')
        .leftJoin('users as hosts', 'hosts.key', 'islands.user_key')
        .select(['islands.key as islandKey', 'islands.access', 'islands.is_listed'])
        .select(['islands.user_key as hostKey', 'hosts.disabled_ms as hostDisabledMs'])
        .select(['islands.published_ms as publishedMs', 'islands.hidden_ms as hiddenMs'])
        .execute()
      return rows.map(({ userKey, islandKey, isMember, isBlocked, is_listed, ...island }) => ({
        userKey,
        islandKey,
        island: Object.assign(island, { isListed: is_listed === 1 }),
        viewer: { userKey, isMember: Boolean(isMember), isBlocked: Boolean(isBlocked) },
      }))
    },
  }
}

function isIn(table: 'island_members' | 'island_blocks') {
  return isPerson(table, sql`asked.island_key`, sql`asked.user_key`)
}

/** Made with the query builder: PostgreSQL then reads it on any connection. Raw SQL would wait for writes. */
function selectPairs(db: Database, pairs: readonly IslandUser[]) {
  const asked = rowList(db, {
    user_key: ['integer', pairs.map(({ userKey }) => userKey)],
    island_key: ['integer', pairs.map(({ islandKey }) => islandKey)],
  })
  return db
    .selectFrom(sql<{ user_key: number; island_key: number }>`(${asked})`.as('asked'))
    .select([
      'asked.user_key as userKey',
      isIn('island_members').as('isMember'),
      isIn('island_blocks').as('isBlocked'),
    ])
}
