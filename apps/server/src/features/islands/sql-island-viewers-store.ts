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
      // Made with the query builder: PostgreSQL then reads it on any connection. Raw SQL would wait for
      // writes.
      const rows = await db
        .selectFrom(sql<{ key: number }>`(${asked})`.as('asked'))
        .leftJoin('users', 'users.key', 'asked.key')
        .select([
          'asked.key',
          'users.username_folded',
          isIn('island_members').as('is_member'),
          isIn('island_blocks').as('is_blocked'),
        ])
        .execute()
      return rows.map(({ key, username_folded, is_member, is_blocked }) => ({
        userKey: key,
        username: username_folded,
        isMember: is_member === 1,
        isBlocked: is_blocked === 1,
      }))
    },

    readPairs: async (pairs) => {
      if (pairs.length === 0) return []
      const asked = rowList(db, {
        user_key: ['integer', pairs.map(({ userKey }) => userKey)],
        island_key: ['integer', pairs.map(({ islandKey }) => islandKey)],
      })
      const rows = await db
        .selectFrom(sql<{ user_key: number; island_key: number }>`(${asked})`.as('asked'))
        .innerJoin('islands', 'islands.key', 'asked.island_key')
        .leftJoin('users as hosts', 'hosts.key', 'islands.user_key')
        .select([
          'asked.user_key',
          'islands.key',
          'islands.user_key as host_key',
          'hosts.disabled_ms as host_disabled_ms',
          'islands.access',
          'islands.is_listed',
          'islands.published_ms',
          'islands.hidden_ms',
          areIn('island_members').as('is_member'),
          areIn('island_blocks').as('is_blocked'),
        ])
        .execute()
      return rows.map((row) => ({
        userKey: row.user_key,
        islandKey: row.key,
        island: {
          hostKey: row.host_key,
          hostDisabledMs: row.host_disabled_ms,
          access: row.access,
          isListed: row.is_listed === 1,
          publishedMs: row.published_ms,
          hiddenMs: row.hidden_ms,
        },
        viewer: {
          userKey: row.user_key,
          isMember: row.is_member === 1,
          isBlocked: row.is_blocked === 1,
        },
      }))
    },
  }
}

function areIn(table: 'island_members' | 'island_blocks') {
  return sql<number>`(
    select count(*) from ${sql.table(table)} as people
    where people.island_key = asked.island_key and people.user_key = asked.user_key
  )`
}
