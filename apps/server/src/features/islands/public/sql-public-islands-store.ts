import { sql, type InferResult } from 'kysely'
import * as v from 'valibot'
import { pagesAhead } from '../../../storage/pages-ahead.ts'
import { rowList, valueList } from '../../../storage/sql-lists.ts'
import { isPostgres } from '../../../storage/database-kind.ts'
import type { Database, RecordingStorage } from '../../../storage/storage.ts'
import { isPublicCarrier, selectIslandCards, toIslandCard } from '../sql-island-rows.ts'
import type { IslandFacts, PublicIslandsStore, RelayOpeningOf } from './public-islands-store.ts'

const loadPageSize = 2000
const Keys = v.pipe(v.string(), v.parseJson(), v.array(v.number()))

export function sqlPublicIslandsStore({ db, changes }: RecordingStorage): PublicIslandsStore {
  return {
    loadAll: () =>
      pagesAhead(
        async (after) => {
          const rows = await selectFacts(db)
            .where('islands.key', '>', after)
            .orderBy('islands.key')
            .limit(loadPageSize)
            .execute()
          return rows.map(toFacts)
        },
        (page) => page.at(-1)?.key,
      ),

    read: async (keys) => {
      const rows = await selectFacts(db)
        .where('islands.key', 'in', valueList(db, 'integer', keys))
        .execute()
      return rows.map(toFacts)
    },

    recordOpenings: (openings) =>
      changes.write(async (transaction, record) => {
        const given = rowList(transaction, {
          island_key: ['integer', openings.map(({ islandKey }) => islandKey)],
          is_open: ['integer', openings.map(({ isOpen }) => Number(isOpen))],
          since_ms: ['bigint', openings.map(({ sinceMs }) => sinceMs)],
        })
        const { rows: changed } = await sql<OpeningRow>`
          insert into relay_openings (island_key, is_open, since_ms)
          select islands.key, given.is_open, given.since_ms
          from (${given}) as given join islands on islands.key = given.island_key
          where islands.is_relayed = 1
          on conflict (island_key) do update set is_open = excluded.is_open,
            since_ms = case when excluded.since_ms > relay_openings.since_ms
              then excluded.since_ms else relay_openings.since_ms + 1 end
          where relay_openings.is_open <> excluded.is_open
          returning island_key, is_open, since_ms`.execute(transaction)
        const recorded = changed.map(toOpening)
        record(
          'relay-openings',
          recorded.map(({ islandKey }) => islandKey),
          recorded,
        )
        const { rows } = await sql<OpeningRow>`
          select relay_openings.island_key, relay_openings.is_open, relay_openings.since_ms
          from (${given}) as given
          join relay_openings on relay_openings.island_key = given.island_key
          order by given.position`.execute(transaction)
        return rows.map(toOpening)
      }),
  }
}

/** Ordered like the index on a device's events, so that only one row is read. */
function lastFlip(column: 'status' | 'at_ms') {
  return sql`(
    select ${sql.ref(column)} from presence_events
    where presence_events.device_key = islands.carrier_key
    order by at_ms desc, sequence desc limit 1
  )`
}

function selectFacts(db: Database) {
  const placed = sql`
    select neighbour_key from island_routes
    where island_routes.island_key = islands.key order by place`
  const neighbourKeys = isPostgres(db)
    ? sql<string>`(select coalesce(json_agg(neighbour_key), '[]')::text from (${placed}) as placed)`
    : sql<string>`(select json_group_array(neighbour_key) from (${placed}) as placed)`
  return selectIslandCards(db)
    .leftJoin('relay_domains', (join) =>
      join
        .onRef('relay_domains.island_key', '=', 'islands.key')
        .on('relay_domains.proven_ms', 'is not', null),
    )
    .select(['relay_domains.domain', 'relay_domains.is_in_logs'])
    .select([
      sql<number>`case when islands.rules_text <> '' then 1 else 0 end`.as('has_rules'),
      lastFlip('status').$castTo<'online' | 'offline' | null>().as('flip_status'),
      lastFlip('at_ms').$castTo<number | null>().as('flip_ms'),
      neighbourKeys.as('neighbour_keys'),
    ])
}

type FactsRow = InferResult<ReturnType<typeof selectFacts>>[number]

function toFacts(row: FactsRow): IslandFacts {
  const { carrier_key: key, carrier_id: id, flip_status: status, flip_ms: atMs } = row
  const flip = status === null || atMs === null ? null : { status, atMs }
  const hasCarrier = key !== null && id !== null
  return {
    ...toIslandCard(row),
    hasRules: row.has_rules === 1,
    domain: row.domain === null ? null : { name: row.domain, isInLogs: row.is_in_logs === 1 },
    carrier: hasCarrier
      ? { key, id, isPublic: isPublicCarrier(row), isShared: row.carrier_is_shared === 1, flip }
      : null,
    neighbourKeys: v.parse(Keys, row.neighbour_keys),
  }
}

interface OpeningRow {
  readonly island_key: number
  readonly is_open: number
  readonly since_ms: number
}

function toOpening({ island_key, is_open, since_ms }: OpeningRow): RelayOpeningOf {
  return { islandKey: island_key, isOpen: is_open === 1, sinceMs: since_ms }
}
