import { notesCounted } from '@astropelago/contract/limits'
import { sql, type RawBuilder } from 'kysely'
import { countRows } from '../../storage/count-rows.ts'
import {
  islandsOfUser,
  lockChecks,
  neighboursOf,
  peopleOfIslands,
} from '../../storage/rows-of-user.ts'
import { checkTotal, lockRows } from '../../storage/locks.ts'
import { recordWithdrawals } from '../../storage/recorded-withdrawals.ts'
import { rowList, valueList } from '../../storage/sql-lists.ts'
import type { Database, RecordingStorage } from '../../storage/storage.ts'
import { isVisible } from './find-island.ts'
import type {
  IslandsStore,
  IslandState,
  IslandUpdate,
  OwnIslandRecord,
  OwnSince,
} from './islands-store.ts'
import {
  countOfIsland,
  islandState,
  newIslandRow,
  selectFoundIslands,
  selectIslands,
  toFoundIsland,
  toIsland,
  toViewer,
  viewerColumns,
} from './sql-island-rows.ts'
import { sqlIslandSlugs } from './sql-island-slugs.ts'

/** @param options `longReads` is for queries that count all islands */
export function sqlIslandsStore(
  storage: RecordingStorage,
  options: { readonly maxIslands?: number; readonly longReads?: Database } = {},
): IslandsStore {
  const { maxIslands = Infinity, longReads = storage.db } = options
  const { db, changes: log } = storage
  const findMany = async (viewerKey: number | null, isWanted: RawBuilder<boolean>) => {
    const rows = await selectFoundIslands(db, viewerKey).where(isWanted).execute()
    return rows.map((row) => toFoundIsland(viewerKey, row))
  }

  const listNeighbours = async (viewerKey: number | null, islandKeys: readonly number[]) => {
    const rows = await selectFoundIslands(db, viewerKey)
      .innerJoin('island_routes', 'island_routes.neighbour_key', 'islands.key')
      .select('island_routes.island_key')
      .where('island_routes.island_key', 'in', valueList(db, 'integer', islandKeys))
      .orderBy('island_routes.place')
      .execute()
    return rows
      .map((row) => ({ from: row.island_key, found: toFoundIsland(viewerKey, row) }))
      .filter(({ found }) => isVisible(found))
  }

  const readOwn = async (userKey: number, since: OwnSince, id?: string) => {
    const rows = await selectIslands(db)
      .select([
        countOfIsland('island_members').as('member_count'),
        countOfIsland('island_requests').as('request_count'),
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
    if (rows.length === 0) return []
    const keys = rows.map(({ key }) => key)
    const neighbours = await listNeighbours(userKey, keys)
    const slugs = await listOldSlugs(db, keys, since.oldSlugsMs)
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

  const countByState = async () => {
    const { rows } = await sql<{ state: IslandState; count: number }>`
      select ${islandState} as state, count(*) as count from islands group by 1`.execute(longReads)
    const counts = { draft: 0, unlisted: 0, listed: 0, hidden: 0 }
    for (const { state, count } of rows) counts[state] = count
    return counts
  }

  return {
    ...sqlIslandSlugs(storage),

    insert: (island, limit) =>
      log.write(async (transaction, record) => {
        const { userKey, rules, isRelayed, isHosted, carrierKey } = island
        await lockRows(transaction, 'users', [userKey])
        const own = transaction.selectFrom('islands').where('user_key', '=', userKey)
        if ((await countRows(own)) >= limit) return undefined
        await checkTotal(transaction, 'islands', maxIslands)
        const { key } = await transaction
          .insertInto('islands')
          .values({
            ...newIslandRow(island),
            user_key: userKey,
            rules_text: rules,
            access: 'invited',
            is_listed: 0,
            is_relayed: Number(isRelayed),
            is_hosted: Number(isHosted),
            carrier_key: carrierKey,
            published_ms: null,
          })
          .returning('key')
          .executeTakeFirstOrThrow()
        record('islands', [key])
        return key
      }),

    listOwn: (userKey, since) => readOwn(userKey, since),

    findOwn: async (userKey, id, since) => (await readOwn(userKey, since, id))[0],

    listOwnKeys: (userKey) => islandsOfUser(db, userKey),

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

    listHosted: (userKey) => findMany(userKey, sql<boolean>`islands.user_key = ${userKey}`),

    findBySlug: async (viewerKey, slug, oldSinceMs) => {
      const isWanted = sql<boolean>`(islands.slug = ${slug} or islands.key in (
        select island_key from island_slugs
        where slug = ${slug} and replaced_ms > ${oldSinceMs} and island_key is not null))`
      return (await findMany(viewerKey, isWanted))[0]
    },

    findById: async (viewerKey, id) =>
      (await findMany(viewerKey, sql<boolean>`islands.id = ${id}`))[0],

    findManyBySlug: (viewerKey, slugs) =>
      findMany(viewerKey, sql<boolean>`islands.slug in ${valueList(db, 'text', slugs)}`),

    findManyById: (viewerKey, ids) =>
      findMany(viewerKey, sql<boolean>`islands.id in ${valueList(db, 'text', ids)}`),

    read: async (keys) => {
      const rows = await selectIslands(db)
        .where('islands.key', 'in', valueList(db, 'integer', keys))
        .execute()
      return rows.map(toIsland)
    },

    findManyByKey: (viewerKey, keys) =>
      findMany(viewerKey, sql<boolean>`islands.key in ${valueList(db, 'integer', keys)}`),

    readViewers: async (pairs) => {
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
        .select(viewerColumns(sql`asked.island_key`, sql`asked.user_key`))
        .execute()
      return rows.map(({ userKey, username, islandKey, ...row }) => ({
        userKey,
        username,
        islandKey,
        island: Object.assign(row, { isListed: row.is_listed === 1 }),
        viewer: toViewer(userKey, row),
      }))
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
        const { key } = island
        record('islands', [key])
        const { neighbourKeys, isRelayed } = changes
        if (isRelayed === false) {
          await transaction.deleteFrom('relay_openings').where('island_key', '=', key).execute()
        }
        if (neighbourKeys === undefined) return key
        await transaction.deleteFrom('island_routes').where('island_key', '=', key).execute()
        if (neighbourKeys.length === 0) return key
        const routes = neighbourKeys.map((neighbour, place) => ({
          island_key: key,
          neighbour_key: neighbour,
          place,
        }))
        await transaction.insertInto('island_routes').values(routes).execute()
        return key
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
        record('checks', await lockChecks(transaction, 'island_key', key))
        await recordWithdrawals({ transaction, record }, 'islands', [key], () =>
          transaction.deleteFrom('islands').where('key', '=', key).execute(),
        )
        return key
      }),

    hostInstallations: (key) =>
      log.write(async (transaction, record) => {
        await transaction
          .updateTable('islands')
          .set({ is_hosted: 1 })
          .where('key', '=', key)
          .where('user_key', 'is', null)
          .execute()
        record('islands', [key])
      }),

    countByState,

    figures: async () => {
      const { draft, unlisted, listed, hidden } = await countByState()
      const members = await countRows(longReads.selectFrom('island_members'))
      return [
        { name: 'islands', label: 'Islands', value: draft + unlisted + listed + hidden },
        { name: 'islands.drafts', label: 'of them drafts', value: draft },
        { name: 'islands.listed', label: 'of them listed', value: listed },
        { name: 'islands.unlisted', label: 'of them by link or membership alone', value: unlisted },
        { name: 'islands.hidden', label: 'of them hidden', value: hidden },
        { name: 'islands.members', label: 'Members of islands', value: members },
      ]
    },
  }
}

function columnsOf({ carrierKey, isRelayed, isHosted, isShared, ...rest }: IslandUpdate) {
  const { rulesChangedMs, pause, ...same } = rest
  const { name, kind, picture, tagline, about, rules, address } = same
  const details = { name, kind, picture, tagline, about, rules_text: rules, address }
  const paused = pause && {
    paused_ms: pause.fromMs,
    paused_until_ms: pause.untilMs,
    pause_text: pause.text,
  }
  const is_relayed = isRelayed === undefined ? undefined : Number(isRelayed)
  const is_hosted = isHosted === undefined ? undefined : Number(isHosted)
  const others = {
    is_relayed,
    is_hosted,
    is_shared: isShared === undefined ? undefined : Number(isShared),
    carrier_key: carrierKey,
    rules_changed_ms: rulesChangedMs,
  }
  return { ...details, ...others, ...paused }
}

async function listOldSlugs(db: Database, islandKeys: readonly number[], sinceMs: number) {
  const rows = await db
    .selectFrom('island_slugs')
    .select(['slug', 'island_key as islandKey', 'replaced_ms'])
    .where('island_key', 'in', valueList(db, 'integer', islandKeys))
    .where('replaced_ms', '>', sinceMs)
    .orderBy('replaced_ms', 'desc')
    .execute()
  return rows.map(({ slug, islandKey, replaced_ms }) => ({
    slug,
    islandKey,
    replacedMs: replaced_ms ?? 0,
  }))
}
