import { sql } from 'kysely'
import * as v from 'valibot'
import { dayMs } from '../../../history/time-spans.ts'
import { countRows } from '../../../storage/count-rows.ts'
import { jsonColumn, rowList } from '../../../storage/sql-lists.ts'
import type { Database } from '../../../storage/storage.ts'
import {
  closingAlertsPerDay,
  type FoundState,
  type IslandEvent,
  type IslandHistoryStore,
} from './island-history-store.ts'

const Times = v.pipe(v.string(), v.parseJson(), v.array(v.number()))
const Kind = v.picklist(['open', 'closed', 'unobserved'])
const Kinds = v.pipe(v.string(), v.parseJson(), v.array(Kind))

/** @param longReads for reads of any length, so that writes do not wait for them */
export function sqlIslandHistoryStore(db: Database, longReads: Database = db): IslandHistoryStore {
  return {
    record: (found, { nowMs, maxEvents }) =>
      db.transaction().execute(async (transaction) => {
        await recordAudiences(transaction, found, nowMs)
        const recorded = await insertEvents(transaction, found, nowMs)
        if (recorded.length === 0) return
        await queueAlerts(transaction, recorded)
        await deleteBeyond(transaction, recorded, maxEvents)
      }),

    read: async (islandKey, sinceMs) => {
      const events = sql`
        select kind, at_ms from island_events
        where island_key = ${islandKey} and at_ms >= coalesce((
          select max(at_ms) from island_events
          where island_key = ${islandKey} and at_ms < ${sinceMs}), 0)
        order by at_ms`
      const { rows } = await sql<{ kinds: string; times: string }>`
        select ${jsonColumn(longReads, 'kind')} as kinds, ${jsonColumn(longReads, 'at_ms')} as times
        from (${events}) as events`.execute(longReads)
      const kinds = v.parse(Kinds, rows[0]?.kinds ?? '[]')
      const times = v.parse(Times, rows[0]?.times ?? '[]')
      return kinds.map((kind, at): IslandEvent => ({ atMs: times[at] ?? 0, kind }))
    },

    readChanges: (limit) =>
      db
        .selectFrom('island_alert_queue')
        .innerJoin('islands', 'islands.key', 'island_key')
        .select(['sequence', 'at_ms as atMs', 'island_alert_queue.kind'])
        .select(['island_key as islandKey', 'islands.id as islandId', 'user_key as hostKey'])
        .select('last_user_key as alertedUserKey')
        .orderBy('sequence')
        .limit(limit)
        .execute(),

    deleteOld: async (untilMs, limit) => {
      await db.deleteFrom('island_alert_queue').where('at_ms', '<', untilMs).execute()
      const { numAffectedRows = 0n } = await sql`
        delete from island_events where (island_key, at_ms) in (
          select island_key, at_ms from island_events as old
          where at_ms < ${untilMs} and exists (
            select 1 from island_events as later
            where later.island_key = old.island_key
              and later.at_ms > old.at_ms and later.at_ms < ${untilMs})
          limit ${limit})`.execute(db)
      return Number(numAffectedRows)
    },

    countOf: (userKey) =>
      countRows(
        db
          .selectFrom('island_events')
          .innerJoin('islands', 'islands.key', 'island_key')
          .where('user_key', '=', userKey),
      ),

    readOf: async function* (userKey) {
      const islands = await db
        .selectFrom('islands')
        .select(['key', 'slug'])
        .where('user_key', '=', userKey)
        .orderBy('key')
        .execute()
      for (const { key, slug } of islands) {
        const events = await db
          .selectFrom('island_events')
          .select(['at_ms as atMs', 'kind'])
          .where('island_key', '=', key)
          .orderBy('at_ms')
          .execute()
        if (events.length > 0) yield { slug, events }
      }
    },
  }
}

/** Those who may see the island already keep their time. */
async function recordAudiences(
  db: Database,
  found: readonly FoundState[],
  nowMs: number,
): Promise<void> {
  const since = (who: keyof FoundState['audience']) =>
    ['bigint', found.map(({ audience }) => (audience[who] ? nowMs : null))] as const
  const given = rowList(db, {
    island_key: ['integer', found.map(({ islandKey }) => islandKey)],
    members_ms: since('members'),
    users_ms: since('users'),
    everybody_ms: since('everybody'),
  })
  const updated = (['members_ms', 'users_ms', 'everybody_ms'] as const).map((name) => {
    const [old, its] = [sql.ref(`island_visible_since.${name}`), sql.ref(`excluded.${name}`)]
    const value = sql`case when ${its} is null then null else coalesce(${old}, ${its}) end`
    return {
      set: sql`${sql.ref(name)} = ${value}`,
      isOther: sql`(${old} is null) <> (${its} is null)`,
    }
  })
  await sql`
    insert into island_visible_since (island_key, members_ms, users_ms, everybody_ms)
    select islands.key, given.members_ms, given.users_ms, given.everybody_ms
    from (${given}) as given join islands on islands.key = given.island_key
    where true
    order by islands.key
    on conflict (island_key) do update set ${sql.join(updated.map(({ set }) => set))}
    where ${sql.join(
      updated.map(({ isOther }) => isOther),
      sql` or `,
    )}`.execute(db)
}

type RecordedEvent = IslandEvent & { readonly islandKey: number }

async function insertEvents(
  db: Database,
  found: readonly FoundState[],
  nowMs: number,
): Promise<readonly RecordedEvent[]> {
  const given = rowList(db, {
    island_key: ['integer', found.map(({ islandKey }) => islandKey)],
    kind: ['text', found.map(({ kind }) => kind)],
    since_ms: ['bigint', found.map(({ sinceMs }) => sinceMs)],
    first_ms: ['bigint', found.map(({ firstMs }) => firstMs)],
  })
  // No two events of an island may have the same time, whatever the clocks say.
  const { rows } = await sql<RecordedEvent>`
    insert into island_events (island_key, kind, at_ms)
    select islands.key, given.kind, case
      when last.at_ms is null then given.first_ms
      when given.since_ms > last.at_ms then given.since_ms
      when last.at_ms < ${sql.lit(nowMs)} then ${sql.lit(nowMs)}
      else last.at_ms + 1 end
    from (${given}) as given join islands on islands.key = given.island_key
    left join island_events as last on last.island_key = islands.key and last.at_ms = (
      select max(at_ms) from island_events where island_events.island_key = islands.key)
    where coalesce(last.kind, 'unobserved') <> given.kind
    order by islands.key
    on conflict (island_key, at_ms) do nothing
    returning island_key as "islandKey", kind, at_ms as "atMs"`.execute(db)
  return rows
}

/**
 * A change from unobserved to closed is no closing. The change that ends a reported closing has one more
 * closing before it, so its limit is one higher.
 */
async function queueAlerts(db: Database, recorded: readonly RecordedEvent[]): Promise<void> {
  const given = rowList(db, {
    island_key: ['integer', recorded.map(({ islandKey }) => islandKey)],
    kind: ['text', recorded.map(({ kind }) => kind)],
    at_ms: ['bigint', recorded.map(({ atMs }) => atMs)],
  })
  const dayBefore = sql`given.at_ms - ${sql.lit(dayMs)}`
  const hasFewerClosings = (than: number) => sql`coalesce((
      select at_ms from island_events
      where island_events.island_key = given.island_key and island_events.kind = 'closed'
        and island_events.at_ms < given.at_ms
      order by at_ms desc limit 1 offset ${sql.lit(than - 1)}), ${dayBefore}) <= ${dayBefore}`
  await sql`
    insert into island_alert_queue (island_key, kind, at_ms, last_user_key)
    select given.island_key, given.kind, given.at_ms, 0
    from (${given}) as given
    where case when given.kind = 'closed' then ${hasFewerClosings(closingAlertsPerDay)} and (
      select kind from island_events
      where island_events.island_key = given.island_key and island_events.at_ms < given.at_ms
      order by at_ms desc limit 1) = 'open'
    else ${hasFewerClosings(closingAlertsPerDay + 1)} end
    order by given.position`.execute(db)
}

async function deleteBeyond(
  db: Database,
  recorded: readonly RecordedEvent[],
  maxEvents: number,
): Promise<void> {
  const islands = rowList(db, { key: ['integer', recorded.map(({ islandKey }) => islandKey)] })
  await sql`
    delete from island_events where (island_key, at_ms) in (
      select old.island_key, old.at_ms
      from (${islands}) as islands
      join island_events as newest_old on newest_old.island_key = islands.key
        and newest_old.at_ms = (
          select at_ms from island_events where island_key = islands.key
          order by at_ms desc limit 1 offset ${maxEvents})
      join island_events as old on old.island_key = islands.key
        and old.at_ms <= newest_old.at_ms)`.execute(db)
}
