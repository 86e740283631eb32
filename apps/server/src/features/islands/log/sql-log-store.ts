import type { LogEntryKind } from '@astropelago/contract/island-log'
import { sql, type RawBuilder } from 'kysely'
import type { PagePosition } from '../../../page-position.ts'
import { countDeleted, countRows } from '../../../storage/count-rows.ts'
import { lockRows } from '../../../storage/locks.ts'
import type { RowOf } from '../../../storage/schema.ts'
import { shownAvatar } from '../../../storage/rows-of-user.ts'
import { mayEnterIsland } from '../../../storage/sql-access-rows.ts'
import { rowList } from '../../../storage/sql-lists.ts'
import type { Recording } from '../../../storage/change-log.ts'
import type { Database, RecordingStorage } from '../../../storage/storage.ts'
import type { LogPage, LogRecord, LogStore, NewPost, PostLimits, PostOutcome } from './log-store.ts'

const postsAtOnce = 100
/** How many of the newest lines of all islands are searched before looking for islands with other lines. */
const newestSearched = 1000

const selected = sql`
  island_log.key, island_log.id, island_log.island_key, island_log.kind, island_log.user_key,
  users.username, ${shownAvatar} as avatar, island_log.text, island_log.event_ms, island_log.at_ms,
  island_log.hidden_ms, island_log.hidden_reason`

const joinAuthors = sql`left join users on users.key = island_log.user_key`

/** @param longReads for reads of any length, so that writes do not wait for them */
export function sqlLogStore({ db, changes }: RecordingStorage, longReads: Database): LogStore {
  const readRows = async (from: RawBuilder<unknown>) => {
    const { rows } = await sql<LogRow>`select ${selected} ${from}`.execute(longReads)
    return rows.map(toRecord)
  }
  const readLogs = async (
    logs: RawBuilder<unknown>,
    { readerKey, after, kind, limit }: LogPage,
    isWithin: RawBuilder<unknown>,
  ) => {
    const isAsked = (entry: string) => sql`
      ${isAfter(entry, after, isWithin)} ${andOfKind(entry, kind)}
      and ${mayRead(entry, readerKey, sql`logs.is_host = 1`)}`
    // Reads only as many lines of each log as the page could show.
    return await readRows(sql`
      from (${logs}) as logs
      join island_log on island_log.island_key = logs.island_key
        and island_log.at_ms >= coalesce((
          select last.at_ms from island_log as last
          where last.island_key = logs.island_key and ${isAsked('last')}
          order by last.at_ms desc limit 1 offset ${limit - 1}), 0)
      ${joinAuthors} where ${isAsked('island_log')}
      order by island_log.at_ms desc, island_log.key desc limit ${limit}`)
  }
  const given = (logs: Parameters<LogStore['read']>[0]) =>
    rowList(db, {
      island_key: ['integer', logs.map(({ islandKey }) => islandKey)],
      is_host: ['integer', logs.map(({ isHost }) => Number(isHost))],
    })

  return {
    post: (post, limits) =>
      changes.write((transaction, record) => insert({ transaction, record }, post, limits)),

    read: async (logs, page) => {
      const isWithin = sql`place.island_key in (select island_key from (${given(logs)}) as readable)`
      return await readLogs(given(logs), page, isWithin)
    },

    readAll: async ({ ownKeys, ...page }) => {
      const { readerKey, after, kind, limit } = page
      const own = rowList(db, { key: ['integer', ownKeys] })
      const isReadable = sql`${mayEnterIsland(readerKey)}
        and (islands.is_listed = 1 or islands.key in (select key from (${own}) as own))`
      const isWithin = sql`exists (
        select 1 from islands where islands.key = place.island_key and ${isReadable})`
      const isNext = (entry: string) => sql`
        ${isAfter(entry, after, isWithin)} ${andOfKind(entry, kind)}`
      const isShown = (entry: string) =>
        mayRead(entry, readerKey, sql`islands.user_key = ${readerKey}`)
      // If the reader may read most islands, the newest lines fill the page.
      const newest = await readRows(sql`
        from (
          select * from island_log where ${isNext('island_log')}
          order by island_log.at_ms desc, island_log.key desc limit ${newestSearched}
        ) as island_log
        join islands on islands.key = island_log.island_key ${joinAuthors}
        where ${isReadable} and ${isShown('island_log')}
        order by island_log.at_ms desc, island_log.key desc limit ${limit}`)
      if (newest.length === limit) return newest
      // Otherwise find the logs with the latest readable lines: the page is in those. In a single join,
      // PostgreSQL reads the whole table: 300 ms instead of 35.
      const { rows } = await sql<{ islandKey: number; isHost: boolean }>`
        with written as materialized (
          select islands.key as island_key,
            coalesce(islands.user_key = ${readerKey}, false) as is_host,
            (
              select last.key from island_log as last
              where last.island_key = islands.key and ${isNext('last')} and ${isShown('last')}
              order by last.at_ms desc, last.key desc limit 1
            ) as last_key
          from islands where ${isReadable}
        )
        select written.island_key as "islandKey", written.is_host as "isHost"
        from written join island_log as newest on newest.key = written.last_key
        order by newest.at_ms desc, newest.key desc limit ${limit}`.execute(longReads)
      return await readLogs(given(rows), page, isWithin)
    },

    find: async (ids) =>
      await readRows(sql`
        from (${rowList(db, { id: ['text', ids] })}) as wanted
        join island_log on island_log.id = wanted.id ${joinAuthors}`),

    setHidden: (id, hidden) =>
      changes.write(async (transaction, record) => {
        const rows = await transaction
          .updateTable('island_log')
          .set({ hidden_ms: hidden?.atMs ?? null, hidden_reason: hidden?.reason ?? null })
          .where('id', '=', id)
          .where('kind', 'in', ['note', 'signal'])
          .returning(['island_key', 'user_key'])
          .execute()
        for (const { island_key: key, user_key } of rows)
          record('island-log', [key], [[key, user_key]])
        return rows.length > 0
      }),

    delete: (id) =>
      changes.write(async (transaction, record) => {
        const rows = await transaction
          .deleteFrom('island_log')
          .where('id', '=', id)
          .returning('island_key')
          .execute()
        for (const { island_key: key } of rows) record('island-log', [key])
        return rows.length > 0
      }),

    listPublicSignals: async ({ nowMs, afterId, limit }) => {
      const found = await selectAfter(longReads, afterId)
      if (afterId !== undefined && found === undefined) return []
      const isToCome = found === undefined || (found.eventMs ?? 0) > nowMs
      const toCome = isToCome
        ? await readRows(
            sql`${fromPublicSignals} and event_ms > ${nowMs}
              and (event_ms, island_log.key) > (${found?.eventMs ?? 0}, ${found?.key ?? 0})
            order by event_ms, island_log.key limit ${limit}`,
          )
        : []
      if (toCome.length === limit) return toCome
      const before = isToCome ? undefined : found
      const newest = await readRows(
        sql`${fromPublicSignals} and (event_ms is null or event_ms <= ${nowMs})
          and (at_ms, island_log.key) <
            (${before?.atMs ?? Number.MAX_SAFE_INTEGER}, ${before?.key ?? 0})
        order by at_ms desc, island_log.key desc limit ${limit - toCome.length}`,
      )
      return [...toCome, ...newest]
    },

    countPostsOf: (userKey) =>
      countRows(
        longReads
          .selectFrom('island_log')
          .where('user_key', '=', userKey)
          .where('kind', 'in', ['note', 'signal']),
      ),

    postsOf: async function* (userKey) {
      for (let lastKey = 0; ;) {
        const { rows } = await sql<LogRow & { readonly islandId: string }>`
          select ${selected}, islands.id as "islandId" from island_log
          join islands on islands.key = island_log.island_key
          join users on users.key = island_log.user_key
          where island_log.user_key = ${userKey} and island_log.kind in ('note', 'signal')
            and island_log.key > ${lastKey}
          order by island_log.key limit ${postsAtOnce}`.execute(longReads)
        for (const row of rows) {
          yield { ...toRecord(row), islandId: row.islandId }
          lastKey = row.key
        }
        if (rows.length < postsAtOnce) return
      }
    },

    deleteOpenings: async (untilMs, limit) => {
      return await countDeleted(
        db
          .deleteFrom('island_log')
          .where('key', 'in', (openings) =>
            openings
              .selectFrom('island_log')
              .select('key')
              .where('user_key', 'is', null)
              .where('kind', 'in', ['opened', 'closed'])
              .where('at_ms', '<=', untilMs)
              .limit(limit),
          ),
      )
    },
  }
}

/** A position outside `isWithin` works like one that does not exist, so it reveals nothing. */
function isAfter(entry: string, { atMs, id }: PagePosition, isWithin: RawBuilder<unknown>) {
  return sql`(${sql.ref(`${entry}.at_ms`)}, ${sql.ref(`${entry}.key`)}) <
    (${atMs}, coalesce((
      select place.key from island_log as place where place.id = ${id} and ${isWithin}), 0))`
}

function andOfKind(entry: string, kind: LogEntryKind | undefined) {
  return kind === undefined ? sql`` : sql`and ${sql.ref(`${entry}.kind`)} = ${kind}`
}

/** Hidden entries are for their author and the host. */
function mayRead(entry: string, readerKey: number | null, isHost: RawBuilder<unknown>) {
  return sql`(${sql.ref(`${entry}.hidden_ms`)} is null or ${isHost}
    or ${sql.ref(`${entry}.user_key`)} = ${readerKey})`
}

const fromPublicSignals = sql`
  from island_log
  join islands on islands.key = island_log.island_key ${joinAuthors}
  where island_log.kind = 'signal' and island_log.hidden_ms is null
    and islands.is_listed = 1 and ${mayEnterIsland(null)}`

async function insert(
  { transaction, record }: Recording,
  { id, islandKey, kind, authorKey, text, eventMs, atMs }: NewPost,
  { max, windowMs, maxLines }: PostLimits,
): Promise<PostOutcome> {
  await lockRows(transaction, 'users', [authorKey])
  const oldestCounted = await transaction
    .selectFrom('island_log')
    .select('at_ms')
    .where('user_key', '=', authorKey)
    .where('kind', '=', kind)
    .where('at_ms', '>', atMs - windowMs)
    .orderBy('at_ms', 'desc')
    .offset(max - 1)
    .limit(1)
    .executeTakeFirst()
  if (oldestCounted !== undefined) return { nextMs: oldestCounted.at_ms + windowMs }
  await lockRows(transaction, 'islands', [islandKey])
  const islands = transaction.selectFrom('islands').where('key', '=', islandKey)
  if ((await countRows(islands)) === 0) return 'gone'
  const line = { id, island_key: islandKey, kind, user_key: authorKey, at_ms: atMs }
  await transaction
    .insertInto('island_log')
    .values({ ...line, text, event_ms: eventMs })
    .execute()
  await deleteOldLines(transaction, [islandKey], maxLines)
  record('island-log', [islandKey])
  return 'posted'
}

export async function deleteOldLines(
  db: Database,
  islandKeys: readonly number[],
  maxLines: number,
): Promise<void> {
  await sql`
    delete from island_log where key in (
      select old.key from (${rowList(db, { key: ['integer', islandKeys] })}) as islands
      join island_log as newest_old on newest_old.key = (
        select key from island_log where island_key = islands.key
        order by at_ms desc, key desc limit 1 offset ${maxLines})
      join island_log as old on old.island_key = islands.key
        and (old.at_ms, old.key) <= (newest_old.at_ms, newest_old.key))`.execute(db)
}

/** Undefined unless the id is that of a public signal. */
async function selectAfter(db: Database, id: string | undefined) {
  if (id === undefined) return undefined
  const { rows } = await sql<Pick<LogRecord, 'atMs' | 'eventMs'> & { readonly key: number }>`
    select island_log.key, at_ms as "atMs", event_ms as "eventMs"
    ${fromPublicSignals} and island_log.id = ${id}`.execute(db)
  return rows[0]
}

interface LogRow extends RowOf<'island_log'> {
  readonly username: string | null
  readonly avatar: string | null
}

function toRecord(row: LogRow): LogRecord {
  const { id, kind, text, user_key: authorKey, username, avatar, hidden_ms: hiddenMs } = row
  return {
    id,
    islandKey: row.island_key,
    kind,
    author: authorKey === null || username === null ? null : { key: authorKey, username, avatar },
    text,
    eventMs: row.event_ms,
    atMs: row.at_ms,
    hidden: hiddenMs === null ? null : { atMs: hiddenMs, reason: row.hidden_reason ?? '' },
  }
}
