import { searchLength } from '@astropelago/contract/search'
import { sql, type RawBuilder } from 'kysely'
import { isPostgres } from '../../storage/database-kind.ts'
import { rowList } from '../../storage/sql-lists.ts'
import type { Database } from '../../storage/storage.ts'
import { postgresSearchIndex } from './postgres-search-index.ts'
import type { IndexedTable, SearchIndex } from './search-index.ts'
import { rankOf, searchRanks, type SearchQuery, type SearchRank } from './search-query.ts'
import type { DeviceHit, FoundRoute, IslandHit, SearchStore } from './search-store.ts'
import { sqliteSearchIndex } from './sqlite-search-index.ts'

/** What one user has that is not public is looked through name by name: more of it is not. */
const ownDevicesSearched = 2000
const ownIslandsSearched = 500
/** Of which those at the best islands are shown. */
const routesRead = 64

const disabledUsers = sql<number>`(select key from users where disabled_ms is not null)`

/** The condition under which others than its host may know of an island at all. */
const isShown = (island: string) => sql<boolean>`(
  ${sql.ref(`${island}.published_ms`)} is not null and ${sql.ref(`${island}.hidden_ms`)} is null
  and (${sql.ref(`${island}.user_key`)} is null or ${sql.ref(`${island}.user_key`)} not in ${disabledUsers})
)`

const isMember = (island: string, userKey: number) => sql<boolean>`(
  ${sql.ref(`${island}.key`)} in (select island_key from island_members where user_key = ${userKey})
  and ${sql.ref(`${island}.key`)} not in (select island_key from island_blocks where user_key = ${userKey})
)`

/** @param db read from alone */
export function sqlSearchStore(db: Database): SearchStore {
  const index = isPostgres(db) ? postgresSearchIndex(db) : sqliteSearchIndex(db)
  return {
    findDevices: async (query) => {
      const ranks = await findRanks(index, 'devices', query)
      if (ranks.size === 0) return []
      // What has changed since the index was read is as it is now.
      const rows = await db
        .selectFrom('devices')
        .select(['key', 'id', 'label'])
        .where('key', 'in', keyList(db, ranks))
        .where('visibility', '=', 'public')
        .where('hidden_ms', 'is', null)
        .where('user_key', 'not in', disabledUsers)
        .execute()
      return withRanks(rows, ({ key }) => ranks.get(key))
    },

    findIslands: async (query) => {
      const ranks = await findRanks(index, 'islands', query)
      if (ranks.size === 0) return []
      const rows = await selectIslands(db)
        .where('islands.key', 'in', keyList(db, ranks))
        .where('islands.is_listed', '=', 1)
        .where(isShown('islands'))
        .execute()
      return withRanks(rows.map(toIslandHit), ({ key }) => ranks.get(key))
    },

    findOwnDevices: async (userKey, query): Promise<readonly DeviceHit[]> => {
      const rows = await db
        .selectFrom('devices')
        .select(['key', 'id', 'label'])
        .where('user_key', '=', userKey)
        .where((where) =>
          where.or([where('visibility', '=', 'private'), where('hidden_ms', 'is not', null)]),
        )
        .orderBy('key', 'desc')
        .limit(ownDevicesSearched)
        .execute()
      return withRanks(rows, ({ label }) => rankOf(query, label))
    },

    findOwnIslands: async (userKey, query): Promise<readonly IslandHit[]> => {
      const rows = await selectIslands(db)
        .where((where) =>
          where.or([
            where('islands.user_key', '=', userKey),
            sql<boolean>`(islands.is_listed = 0 and ${isShown('islands')} and ${isMember('islands', userKey)})`,
          ]),
        )
        .orderBy('islands.key', 'desc')
        .limit(ownIslandsSearched)
        .execute()
      return withRanks(rows, ({ name, tagline }) => rankOf(query, name, tagline)).map((row) => ({
        ...toIslandHit(row),
        rank: row.rank,
      }))
    },

    listRoutes: async (userKey, islandKeys): Promise<readonly FoundRoute[]> => {
      if (islandKeys.length === 0) return []
      const asked = rowList(db, { key: ['integer', islandKeys] })
      const mayFind = (island: string) => sql<boolean>`(
        ${sql.ref(`${island}.user_key`)} = ${userKey}
        or (${isShown(island)} and (${sql.ref(`${island}.is_listed`)} = 1 or ${isMember(island, userKey)}))
      )`
      const along = (column: 'island_key' | 'neighbour_key') => sql<RouteRow>`
        select * from (
          select one.key as from_key, one.slug as from_slug, one.name as from_name,
            other.key as to_key, other.slug as to_slug, other.name as to_name
          from island_routes
          join islands as one on one.key = island_routes.island_key
          join islands as other on other.key = island_routes.neighbour_key
          where ${sql.ref(`island_routes.${column}`)} in (select key from (${asked}) as asked)
            and ${mayFind('one')} and ${mayFind('other')}
          limit ${routesRead}
        ) as ${sql.ref(column)}`
      const { rows } = await sql<RouteRow>`
        ${along('island_key')} union ${along('neighbour_key')}`.execute(db)
      return rows.map((row) => ({
        from: { key: row.from_key, slug: row.from_slug, name: row.from_name },
        to: { key: row.to_key, slug: row.to_slug, name: row.to_name },
      }))
    },
  }
}

/** Of each thing the best rank it has, until there are enough of the best for a list. */
async function findRanks(
  index: SearchIndex,
  table: IndexedTable,
  query: SearchQuery,
): Promise<ReadonlyMap<number, SearchRank>> {
  const ranks = new Map<number, SearchRank>()
  if (query.folded.length === 0) return ranks
  for (const rank of searchRanks) {
    if (ranks.size >= searchLength) break
    for (const key of await index.find(table, query, rank)) {
      if (!ranks.has(key)) ranks.set(key, rank)
    }
  }
  return ranks
}

function keyList(db: Database, ranks: ReadonlyMap<number, SearchRank>): RawBuilder<number> {
  const asked = rowList(db, { key: ['integer', [...ranks.keys()]] })
  return sql<number>`(select key from (${asked}) as asked)`
}

function withRanks<Row>(
  rows: readonly Row[],
  rankOfRow: (row: Row) => SearchRank | undefined,
): (Row & { readonly rank: SearchRank })[] {
  return rows.flatMap((row) => {
    const rank = rankOfRow(row)
    return rank === undefined ? [] : [{ ...row, rank }]
  })
}

function selectIslands(db: Database) {
  return db
    .selectFrom('islands')
    .select([
      'islands.key',
      'islands.slug',
      'islands.name',
      'islands.tagline',
      'islands.address',
      'islands.carrier_key',
    ])
}

type IslandRow = Awaited<ReturnType<ReturnType<typeof selectIslands>['executeTakeFirstOrThrow']>>

function toIslandHit({
  key,
  slug,
  name,
  address,
  carrier_key,
}: IslandRow): Omit<IslandHit, 'rank'> {
  return { key, slug, name, hasAddress: address !== null, carrierKey: carrier_key }
}

interface RouteRow {
  readonly from_key: number
  readonly from_slug: string
  readonly from_name: string
  readonly to_key: number
  readonly to_slug: string
  readonly to_name: string
}
