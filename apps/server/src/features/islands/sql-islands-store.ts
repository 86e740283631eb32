import { notesCounted } from '@astropelago/contract/limits'
import { sql } from 'kysely'
import { checkTotal, lockRows } from '../../storage/locks.ts'
import { neighboursOf, peopleOfIslands } from '../../storage/rows-of-user.ts'
import { recordWithdrawals } from '../../storage/recorded-withdrawals.ts'
import { rowList } from '../../storage/sql-lists.ts'
import type { Database, RecordingStorage } from '../../storage/storage.ts'
import { mayKnow } from './access-policy.ts'
import type {
  IslandRecord,
  IslandsStore,
  IslandUpdate,
  OwnIslandRecord,
  OwnSince,
} from './islands-store.ts'
import { sqlIslandCountsStore } from './sql-island-counts-store.ts'
import {
  memberCount,
  selectFoundIslands,
  selectIslands,
  toFoundIsland,
  toIsland,
} from './sql-island-rows.ts'
import { sqlIslandSlugs } from './sql-island-slugs.ts'

interface SqlIslandsStoreOptions {
  readonly maxIslands?: number
  /** For queries that count all islands. */
  readonly longReads?: Database
}

export function sqlIslandsStore(
  storage: RecordingStorage,
  { maxIslands = Infinity, longReads = storage.db }: SqlIslandsStoreOptions = {},
): IslandsStore {
  const { db, changes: log } = storage
  const listNeighbours = async (viewerKey: number | null, islandKeys: readonly number[]) => {
    const asked = rowList(db, { key: ['integer', islandKeys] })
    const rows = await selectFoundIslands(db, viewerKey)
      .innerJoin('island_routes', 'island_routes.neighbour_key', 'islands.key')
      .select('island_routes.island_key')
      .where('island_routes.island_key', 'in', sql<number>`(select key from (${asked}) as asked)`)
      .orderBy('island_routes.place')
      .execute()
    return rows
      .map((row) => ({ from: row.island_key, found: toFoundIsland(viewerKey, row) }))
      .filter(({ found }) => mayKnow(found.island, found.viewer))
  }

  const readOwn = async (userKey: number, since: OwnSince, id?: string) => {
    const rows = await selectIslands(db)
      .select([
        memberCount.as('member_count'),
        sql<number>`(
          select count(*) from island_requests where island_requests.island_key = islands.key
        )`.as('request_count'),
        sql<number>`(
          select count(*) from (
            select 1 from island_log
            where island_log.island_key = islands.key and island_log.kind = 'note'
              and island_log.at_ms > ${since.notesMs} and island_log.hidden_ms is null
            limit ${notesCounted}
          ) as notes
        )`.as('note_count'),
      ])
      .where('islands.user_key', '=', userKey)
      .$if(id !== undefined, (own) => own.where('islands.id', '=', id ?? ''))
      .orderBy('islands.key', 'desc')
      .execute()
    const keys = rows.map(({ key }) => key)
    const neighbours = keys.length === 0 ? [] : await listNeighbours(userKey, keys)
    const slugs = keys.length === 0 ? [] : await listOldSlugs(db, keys, since.oldSlugsMs)
    return rows.map((row): OwnIslandRecord =>
      Object.assign(toIsland(row), {
        memberCount: row.member_count,
        requestCount: row.request_count,
        noteCount: row.note_count,
        neighbours: neighbours
          .filter(({ from }) => from === row.key)
          .map(({ found }) => found.island),
        oldSlugs: slugs.filter(({ islandKey }) => islandKey === row.key),
      }),
    )
  }

  return {
    ...sqlIslandSlugs(storage),
    ...sqlIslandCountsStore(longReads),

    insert: (island, limit) =>
      log.write(async (transaction, record) => {
        await lockRows(transaction, 'users', [island.userKey])
        const { count } = await transaction
          .selectFrom('islands')
          .select((select) => select.fn.countAll<number>().as('count'))
          .where('user_key', '=', island.userKey)
          .executeTakeFirstOrThrow()
        if (count >= limit) return undefined
        await checkTotal(transaction, 'islands', maxIslands)
        const { key } = await transaction
          .insertInto('islands')
          .values({
            id: island.id,
            user_key: island.userKey,
            slug: island.slug,
            name: island.name,
            kind: island.kind,
            picture: island.picture,
            tagline: island.tagline,
            about: island.about,
            rules_text: island.rules,
            access: 'invited',
            is_listed: 0,
            address: island.address,
            is_relayed: Number(island.isRelayed),
            carrier_key: island.carrierKey,
            created_ms: island.createdMs,
            published_ms: null,
          })
          .returning('key')
          .executeTakeFirstOrThrow()
        record('islands', [key])
        return key
      }),

    listOwn: (userKey, since) => readOwn(userKey, since),

    findOwn: async (userKey, id, since) => (await readOwn(userKey, since, id))[0],

    listOwnKeys: async (userKey) => {
      const rows = await db
        .selectFrom('islands')
        .select('key')
        .where('user_key', '=', userKey)
        .execute()
      return rows.map(({ key }) => key)
    },

    listJoined: async (userKey, limit) => {
      const rows = await selectFoundIslands(db, userKey)
        .innerJoin('island_members', 'island_members.island_key', 'islands.key')
        .where('island_members.user_key', '=', userKey)
        .orderBy('island_members.joined_ms', 'desc')
        .orderBy('islands.key', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => toFoundIsland(userKey, row))
    },

    listHosted: async (userKey) => {
      const rows = await selectFoundIslands(db, userKey)
        .where('islands.user_key', '=', userKey)
        .execute()
      return rows.map((row) => toFoundIsland(userKey, row))
    },

    findBySlug: async (viewerKey, slug, oldSinceMs) => {
      const row = await selectFoundIslands(db, viewerKey)
        .where((where) =>
          where.or([
            where('islands.slug', '=', slug),
            where('islands.key', 'in', (old) =>
              old
                .selectFrom('island_slugs')
                .select('island_slugs.island_key')
                .where('island_slugs.slug', '=', slug)
                .where('island_slugs.replaced_ms', '>', oldSinceMs)
                .where('island_slugs.island_key', 'is not', null)
                .$castTo<{ island_key: number }>(),
            ),
          ]),
        )
        .executeTakeFirst()
      return row && toFoundIsland(viewerKey, row)
    },

    findById: async (viewerKey, id) => {
      const row = await selectFoundIslands(db, viewerKey)
        .where('islands.id', '=', id)
        .executeTakeFirst()
      return row && toFoundIsland(viewerKey, row)
    },

    findManyBySlug: async (viewerKey, slugs) => {
      const asked = rowList(db, { slug: ['text', slugs] })
      const rows = await selectFoundIslands(db, viewerKey)
        .where('islands.slug', 'in', sql<string>`(select slug from (${asked}) as asked)`)
        .execute()
      return rows.map((row) => toFoundIsland(viewerKey, row))
    },

    findManyById: async (viewerKey, ids) => {
      const asked = rowList(db, { id: ['text', ids] })
      const rows = await selectFoundIslands(db, viewerKey)
        .where('islands.id', 'in', sql<string>`(select id from (${asked}) as asked)`)
        .execute()
      return rows.map((row) => toFoundIsland(viewerKey, row))
    },

    findManyByKey: async (viewerKey, keys) => {
      const asked = rowList(db, { key: ['integer', keys] })
      const rows = await selectFoundIslands(db, viewerKey)
        .where('islands.key', 'in', sql<number>`(select key from (${asked}) as asked)`)
        .execute()
      return rows.map((row) => toFoundIsland(viewerKey, row))
    },

    read: async (keys): Promise<readonly IslandRecord[]> => {
      const asked = rowList(db, { key: ['integer', keys] })
      const rows = await selectIslands(db)
        .where('islands.key', 'in', sql<number>`(select key from (${asked}) as asked)`)
        .execute()
      return rows.map(toIsland)
    },

    listNeighbours: async (viewerKey, islandKey) =>
      (await listNeighbours(viewerKey, [islandKey])).map(({ found }) => found),

    update: (userKey, id, changes) =>
      log.write(async (transaction, record) => {
        const island = await transaction
          .updateTable('islands')
          // Setting the id to itself leaves something to set if nothing changes.
          .set({ id, ...columnsOf(changes) })
          .where('id', '=', id)
          .where('user_key', '=', userKey)
          .returning('key')
          .executeTakeFirst()
        if (island === undefined) return undefined
        record('islands', [island.key])
        const { neighbourKeys, isRelayed } = changes
        if (isRelayed === false) {
          await transaction
            .deleteFrom('relay_openings')
            .where('island_key', '=', island.key)
            .execute()
        }
        if (neighbourKeys !== undefined) {
          await transaction
            .deleteFrom('island_routes')
            .where('island_key', '=', island.key)
            .execute()
        }
        if (neighbourKeys !== undefined && neighbourKeys.length > 0) {
          await transaction
            .insertInto('island_routes')
            .values(
              neighbourKeys.map((neighbour_key, place) => ({
                island_key: island.key,
                neighbour_key,
                place,
              })),
            )
            .execute()
        }
        return island.key
      }),

    delete: (userKey, id) =>
      log.write(async (transaction, record) => {
        const island = await transaction
          .selectFrom('islands')
          .select('key')
          .where('id', '=', id)
          .where('user_key', '=', userKey)
          .executeTakeFirst()
        if (island === undefined) return undefined
        const { key } = island
        record('island-members', [key], await peopleOfIslands(transaction, [key]))
        record('islands', await neighboursOf(transaction, [key]))
        await recordWithdrawals({ transaction, record }, 'islands', [key], () =>
          transaction.deleteFrom('islands').where('key', '=', key).execute(),
        )
        return key
      }),
  }
}

function columnsOf({ carrierKey, isRelayed, rulesChangedMs, pause, ...same }: IslandUpdate) {
  const { name, kind, picture, tagline, about, rules, address } = same
  const is_relayed = isRelayed === undefined ? undefined : Number(isRelayed)
  const others = { is_relayed, carrier_key: carrierKey, rules_changed_ms: rulesChangedMs }
  const paused = pause && {
    paused_ms: pause.fromMs,
    paused_until_ms: pause.untilMs,
    pause_text: pause.text,
  }
  const details = { name, kind, picture, tagline, about, rules_text: rules, address }
  const columns = { ...details, ...others, ...paused }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

async function listOldSlugs(db: Database, islandKeys: readonly number[], sinceMs: number) {
  const asked = rowList(db, { key: ['integer', islandKeys] })
  const rows = await db
    .selectFrom('island_slugs')
    .select(['slug', 'island_key as islandKey', 'replaced_ms'])
    .where('island_key', 'in', sql<number>`(select key from (${asked}) as asked)`)
    .where('replaced_ms', '>', sinceMs)
    .orderBy('replaced_ms', 'desc')
    .execute()
  return rows.map(({ slug, islandKey, replaced_ms }) => ({
    slug,
    islandKey,
    replacedMs: replaced_ms ?? 0,
  }))
}
