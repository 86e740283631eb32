import { searchLength } from '@astropelago/contract/search'
import { sql } from 'kysely'
import { isShownDevice, isShownIsland } from '../../storage/sql-access-rows.ts'
import { valueList } from '../../storage/sql-lists.ts'
import type { Database } from '../../storage/storage.ts'
import { rankOf, searchRanks, type SearchQuery, type SearchRank } from './search-query.ts'
import { perRank, type FindKeys, type IndexedTable, type SearchStore } from './search-store.ts'

/** A user's own devices and islands are searched name by name, the newest up to these numbers. */
const ownDevicesSearched = 2000
const ownIslandsSearched = 500
const routesRead = 64

const isMember = (island: string, userKey: number | null) => sql<boolean>`(
  ${sql.ref(`${island}.key`)} in (select island_key from island_members where user_key = ${userKey})
  and ${sql.ref(`${island}.key`)} not in (select island_key from island_blocks where user_key = ${userKey})
)`

export function sqlSearchStore(db: Database, find: FindKeys): SearchStore {
  const devices = db.selectFrom('devices').select(['key', 'id', 'label'])
  const islands = db
    .selectFrom('islands')
    .select(['islands.key', 'islands.slug', 'islands.name', 'islands.tagline'])

  return {
    findDevices: async (query) => {
      const keys = await findBest(find, 'devices', query)
      if (keys.size === 0) return []
      // Conditions are checked again, because rows may have changed since the index was read.
      const rows = await devices
        .where('key', 'in', valueList(db, 'integer', [...keys]))
        .where(isShownDevice())
        .execute()
      return ranked(rows, ({ label }) => rankOf(query, label) ?? 'inside')
    },

    findIslands: async (query) => {
      const keys = await findBest(find, 'islands', query)
      if (keys.size === 0) return []
      const rows = await islands
        .where('islands.key', 'in', valueList(db, 'integer', [...keys]))
        .where('islands.is_listed', '=', 1)
        .where(isShownIsland())
        .execute()
      return ranked(rows, ({ name, tagline }) => rankOf(query, name, tagline) ?? 'inside')
    },

    findOwnDevices: async (userKey, query) => {
      const rows = await devices
        .where('user_key', '=', userKey)
        .where((where) =>
          where.or([where('visibility', '=', 'private'), where('hidden_ms', 'is not', null)]),
        )
        .orderBy('key', 'desc')
        .limit(ownDevicesSearched)
        .execute()
      return ranked(rows, ({ label }) => rankOf(query, label))
    },

    findOwnIslands: async (userKey, query) => {
      const rows = await islands
        .where((where) =>
          where.or([
            where('islands.user_key', '=', userKey),
            sql<boolean>`(islands.is_listed = 0 and ${isShownIsland()} and ${isMember('islands', userKey)})`,
          ]),
        )
        .orderBy('islands.key', 'desc')
        .limit(ownIslandsSearched)
        .execute()
      return ranked(rows, ({ name, tagline }) => rankOf(query, name, tagline))
    },

    findNeighbourDevices: async (query) => {
      const keys = await findBest(find, 'neighbour_devices', query)
      if (keys.size === 0) return []
      const rows = await db
        .selectFrom('neighbour_devices')
        .select(['key', 'neighbour_key as neighbourKey', 'id', 'label', 'lat', 'lon', 'status'])
        .where('key', 'in', valueList(db, 'integer', [...keys]))
        .execute()
      return ranked(rows, ({ label }) => rankOf(query, label) ?? 'inside')
    },

    findNeighbourIslands: async (query) => {
      const keys = await findBest(find, 'neighbour_islands', query)
      if (keys.size === 0) return []
      const rows = await db
        .selectFrom('neighbour_islands')
        .select(['key', 'neighbour_key as neighbourKey', 'id', 'slug', 'name', 'kind', 'picture'])
        .select(['tagline', 'access', 'is_open', 'device_id as deviceId'])
        .where('key', 'in', valueList(db, 'integer', [...keys]))
        .execute()
      const found = rows.map((row) => Object.assign(row, { isOpen: row.is_open === 1 }))
      return ranked(found, ({ name, tagline }) => rankOf(query, name, tagline) ?? 'inside')
    },

    listRoutes: async (userKey, islandKeys) => {
      if (islandKeys.length === 0) return []
      const asked = valueList(db, 'integer', islandKeys)
      const mayFind = (island: string) => sql<boolean>`(
        ${sql.ref(`${island}.user_key`)} = ${userKey}
        or (${isShownIsland(island)} and (${sql.ref(`${island}.is_listed`)} = 1 or ${isMember(island, userKey)}))
      )`
      const along = (column: 'island_key' | 'neighbour_key') => sql`
        select * from (
          select one.key as from_key, one.slug as from_slug, one.name as from_name,
            other.key as to_key, other.slug as to_slug, other.name as to_name
          from island_routes
          join islands as one on one.key = island_routes.island_key
          join islands as other on other.key = island_routes.neighbour_key
          where ${sql.ref(`island_routes.${column}`)} in ${asked}
            and ${mayFind('one')} and ${mayFind('other')}
          limit ${routesRead}
        ) as ${sql.ref(column)}`
      const { rows } = await sql<{
        from_key: number
        from_slug: string
        from_name: string
        to_key: number
        to_slug: string
        to_name: string
      }>`${along('island_key')} union ${along('neighbour_key')}`.execute(db)
      return rows.map((row) => ({
        from: { key: row.from_key, slug: row.from_slug, name: row.from_name },
        to: { key: row.to_key, slug: row.to_slug, name: row.to_name },
      }))
    },
  }
}

/** Leaves out rows without a rank. */
function ranked<Row extends object>(
  rows: readonly Row[],
  rankRow: (row: Row) => SearchRank | undefined,
) {
  return rows.flatMap((row) => {
    const rank = rankRow(row)
    return rank === undefined ? [] : Object.assign(row, { rank })
  })
}

/** With several words, few names contain all of them, which settles all ranks. At worst this takes 11 ms. */
const ranksOfWords: readonly SearchRank[] = ['inside', 'exact', 'beginning']

async function findBest(
  find: FindKeys,
  table: IndexedTable,
  query: SearchQuery,
): Promise<ReadonlySet<number>> {
  const keys = new Set<number>()
  if (query.folded.length === 0) return keys
  const isOneWord = query.folded.length === 1
  for (const rank of isOneWord ? searchRanks : ranksOfWords) {
    const found = await find(table, query, rank)
    for (const key of found) keys.add(key)
    const isAll = rank === 'inside' && found.length < perRank
    if (isAll || (isOneWord && keys.size >= searchLength)) break
  }
  return keys
}
