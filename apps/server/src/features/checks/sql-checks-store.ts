import { CheckStatus, CheckTarget } from '@astropelago/contract/checks'
import { historyDays } from '@astropelago/contract/history'
import { sql, type InferResult } from 'kysely'
import * as v from 'valibot'
import { dayMs as msPerDay } from '../../history/time-spans.ts'
import type { RecordChange } from '../../storage/change-log.ts'
import { countRows } from '../../storage/count-rows.ts'
import { checkTotal, lockRows } from '../../storage/locks.ts'
import { pagesAhead } from '../../storage/pages-ahead.ts'
import { disabledUsers } from '../../storage/sql-access-rows.ts'
import { jsonColumn, rowList, valueList } from '../../storage/sql-lists.ts'
import type { Database, DatabaseTransaction, Storage } from '../../storage/storage.ts'
import type {
  CheckEvent,
  CheckRecord,
  CheckState,
  CheckUpdate,
  ChecksStore,
  FoundCheck,
} from './checks-store.ts'

const loadPageSize = 1000
/** One answer reads all events of a check. */
const eventsPerCheck = 10_000
const Target = v.pipe(v.string(), v.parseJson(), CheckTarget)
const Times = v.pipe(v.string(), v.parseJson(), v.array(v.number()))
const Kinds = v.pipe(v.string(), v.parseJson(), v.array(CheckStatus))
const Notes = v.pipe(v.string(), v.parseJson(), v.array(v.nullable(v.string())))
const Tooks = v.pipe(v.string(), v.parseJson(), v.array(v.nullable(v.number())))

export function sqlChecksStore(
  { db, changes, longReads }: Pick<Storage, 'db' | 'changes' | 'longReads'>,
  { maxChecks = Infinity }: { readonly maxChecks?: number } = {},
): ChecksStore {
  return {
    insert: (check, { perUser }) =>
      changes.write(async (transaction, record) => {
        const { userKey } = check
        await lockRows(transaction, 'users', [userKey])
        const own = transaction.selectFrom('checks').where('user_key', '=', userKey)
        if ((await countRows(own)) >= perUser) return 'check_limit'
        await checkTotal(transaction, 'checks', maxChecks)
        const { id, name, target, publicMs, isPaused, createdMs } = check
        const { key } = await transaction
          .insertInto('checks')
          .values({
            id,
            user_key: userKey,
            name,
            target: JSON.stringify(target),
            is_public: Number(publicMs !== null),
            public_ms: publicMs,
            is_paused: Number(isPaused),
            island_key: check.islandKey,
            device_id: check.deviceId,
            push_hash: check.pushHash,
            source_id: check.sourceId,
            created_ms: createdMs,
          })
          .returning('key')
          .executeTakeFirstOrThrow()
        record('checks', [key])
        return toCheck(
          await selectChecks(transaction).where('checks.key', '=', key).executeTakeFirstOrThrow(),
        )
      }),

    update: (key, update, atMs) =>
      changes.write(async (transaction, record) => {
        await lockRows(transaction, 'checks', [key])
        const before = await transaction
          .selectFrom('checks')
          .select('island_key')
          .where('key', '=', key)
          .executeTakeFirst()
        if (before === undefined) return
        if (update.isPaused === true) await pause(transaction, key, atMs)
        await transaction
          .updateTable('checks')
          .set(columnsOf(update))
          .where('key', '=', key)
          .execute()
        record('checks', [key])
        if (update.isPaused === undefined && update.islandKey === undefined) return
        const islandKeys = [before.island_key, update.islandKey ?? null]
        record('island-checks', [...new Set(islandKeys.filter((island) => island !== null))])
      }),

    delete: (key) =>
      changes.write(async (transaction, record) => {
        await lockRows(transaction, 'checks', [key])
        record('checks', [key])
        await recordIslands(transaction, record, [key])
        await transaction.deleteFrom('checks').where('key', '=', key).execute()
      }),

    setHidden: (id, hidden) =>
      changes.write(async (transaction, record) => {
        const changed = await transaction
          .updateTable('checks')
          .set({
            hidden_ms: hidden === null ? null : sql`coalesce(hidden_ms, ${hidden.atMs})`,
            hidden_reason: hidden?.reason ?? null,
          })
          .where('id', '=', id)
          .returning('key')
          .executeTakeFirst()
        if (changed === undefined) return false
        record('checks', [changed.key])
        return true
      }),

    find: async (id) => {
      const row = await selectChecks(db).where('checks.id', '=', id).executeTakeFirst()
      return row && toCheck(row)
    },

    readById: async (ids) => {
      const rows = await selectChecks(db)
        .innerJoin('users', 'users.key', 'checks.user_key')
        .select('users.username')
        .where('checks.id', 'in', valueList(db, 'text', ids))
        .execute()
      return rows.map((row) => ({ check: toCheck(row), username: row.username }))
    },

    findByPush: async (hash) => {
      const row = await selectChecks(db).where('push_hash', '=', hash).executeTakeFirst()
      return row && toCheck(row)
    },

    list: async (userKey) => {
      const own = selectChecks(db).where('checks.user_key', '=', userKey)
      const rows = await own.orderBy('checks.name').orderBy('checks.key').execute()
      return rows.map(toCheck)
    },

    count: (userKey) => countRows(db.selectFrom('checks').where('user_key', '=', userKey)),

    read: async (keys) => {
      const rows = await selectChecks(db)
        .where('checks.key', 'in', valueList(db, 'integer', keys))
        .execute()
      return rows.map(toCheck)
    },

    loadAll: () =>
      pagesAhead(
        async (after) => {
          const rows = await selectChecks(db)
            .where('checks.key', '>', after)
            .orderBy('checks.key')
            .limit(loadPageSize)
            .execute()
          return rows.map(toCheck)
        },
        (page) => page.at(-1)?.key,
      ),

    record: (found) =>
      changes.write(async (transaction, record) => {
        await lockRows(
          transaction,
          'checks',
          found.map(({ checkKey }) => checkKey),
        )
        const changed: number[] = []
        const skipped = new Set<FoundCheck>()
        for (const all of roundsOf(found)) {
          for (const one of await listOutdated(transaction, all)) skipped.add(one)
          const round = all.filter((one) => !skipped.has(one))
          changed.push(...(await insertEvents(transaction, round)))
          await insertSamples(transaction, round)
          await putStates(transaction, round)
        }
        // The leader may not have found it.
        record('checks', changed)
        if (changed.length > 0) await recordIslands(transaction, record, changed)
        return [...skipped]
      }),

    requestLook: (key) => changes.write(async (_, record) => record('check-looks', [key])),

    readEvents: async (checkKey, sinceMs) => {
      const events = sql`
        select kind, at_ms, note from check_events
        where check_key = ${checkKey} and at_ms >= coalesce((
          select max(at_ms) from check_events
          where check_key = ${checkKey} and at_ms < ${sinceMs}), 0)
        order by at_ms`
      const { rows } = await sql<Readonly<Record<'kinds' | 'times' | 'notes', string>>>`
        select ${jsonColumn(longReads, 'kind')} as kinds, ${jsonColumn(longReads, 'at_ms')} as times,
          ${jsonColumn(longReads, 'note')} as notes
        from (${events}) as events`.execute(longReads)
      const times = v.parse(Times, rows[0]?.times)
      const notes = v.parse(Notes, rows[0]?.notes)
      return v
        .parse(Kinds, rows[0]?.kinds)
        .map((kind, at): CheckEvent => ({ atMs: times[at] ?? 0, kind, note: notes[at] ?? null }))
    },

    readSamples: async (checkKey, sinceMs) => {
      const samples = sql`
        select location_key, at_ms, took_ms from check_samples
        where check_key = ${checkKey} and at_ms >= ${sinceMs} order by at_ms, location_key`
      const { rows } = await sql<Readonly<Record<'locations' | 'times' | 'tooks', string>>>`
        select ${jsonColumn(longReads, 'location_key')} as locations,
          ${jsonColumn(longReads, 'at_ms')} as times, ${jsonColumn(longReads, 'took_ms')} as tooks
        from (${samples}) as samples`.execute(longReads)
      const locations = v.parse(Times, rows[0]?.locations)
      const tooks = v.parse(Tooks, rows[0]?.tooks)
      return v.parse(Times, rows[0]?.times).map((atMs, at) => ({
        locationKey: locations[at] ?? 0,
        atMs,
        tookMs: tooks[at] ?? null,
      }))
    },

    readDays: (checkKey, sinceMs) =>
      longReads
        .selectFrom('check_days')
        .select(['location_key as locationKey', 'day_ms as dayMs'])
        .select(['p50_ms as p50Ms', 'p95_ms as p95Ms'])
        .where('check_key', '=', checkKey)
        .where('day_ms', '>=', sinceMs)
        .orderBy('day_ms')
        .orderBy('location_key')
        .execute(),

    listEvents: (checkKey, { after, limit, sinceMs }) =>
      db
        .selectFrom('check_events')
        .select(['at_ms as atMs', 'kind', 'note'])
        .where('check_key', '=', checkKey)
        .where('at_ms', '>=', sinceMs)
        .where('at_ms', '<', after.atMs)
        .orderBy('at_ms', 'desc')
        .limit(limit)
        .execute(),

    oldestSampleMs: async () => {
      const row = await db
        .selectFrom('check_samples')
        .select(({ fn }) => fn.min<number | null>('at_ms').as('oldest'))
        .executeTakeFirst()
      return row?.oldest ?? null
    },

    rollUp: async (checkKeys, dayMs) => {
      // Sorts up to a day's answers of each check, and a write would wait for it.
      const { rows } = await sql<Readonly<Record<'check' | 'location' | 'p50' | 'p95', number>>>`
        with asked as (${rowList(longReads, { key: ['integer', checkKeys] })}), ranked as (
          select check_key, location_key, took_ms,
            row_number() over (partition by check_key, location_key order by took_ms) as place,
            count(*) over (partition by check_key, location_key) as total
          from asked join check_samples on check_key = asked.key
          where took_ms is not null and at_ms >= ${dayMs} and at_ms < ${dayMs + msPerDay}
            and not exists (
              select 1 from check_days as known
              where known.check_key = asked.key and known.day_ms = ${dayMs})
        )
        select check_key as "check", location_key as location,
          min(case when place * 2 >= total then took_ms end) as p50,
          min(case when place * 20 >= total * 19 then took_ms end) as p95
        from ranked group by check_key, location_key`.execute(longReads)
      const days = rowList(db, {
        check_key: ['integer', rows.map(({ check }) => check)],
        location_key: ['integer', rows.map(({ location }) => location)],
        p50_ms: ['integer', rows.map(({ p50 }) => p50)],
        p95_ms: ['integer', rows.map(({ p95 }) => p95)],
      })
      await db.transaction().execute(async (transaction) => {
        await sql`
          insert into check_days (check_key, location_key, day_ms, p50_ms, p95_ms)
          select checks.key, days.location_key, ${sql.lit(dayMs)}, days.p50_ms, days.p95_ms
          from (${days}) as days join checks on checks.key = days.check_key
          where true
          order by checks.key, days.location_key
          on conflict do nothing`.execute(transaction)
        await transaction
          .deleteFrom('check_days')
          .where('check_key', 'in', valueList(transaction, 'integer', checkKeys))
          .where('day_ms', '<', dayMs - historyDays * msPerDay)
          .execute()
      })
    },

    deleteSamples: async (untilMs, limit) => {
      const { numAffectedRows = 0n } = await sql`
        delete from check_samples where (check_key, location_key, at_ms) in (
          select check_key, location_key, at_ms from check_samples
          where at_ms < ${untilMs} order by at_ms limit ${limit})`.execute(db)
      return Number(numAffectedRows)
    },

    deleteEvents: async (untilMs, limit) => {
      await db.deleteFrom('check_alert_queue').where('at_ms', '<', untilMs).execute()
      const { numAffectedRows = 0n } = await sql`
        delete from check_events where (check_key, at_ms) in (
          select check_key, at_ms from check_events as old
          where at_ms < ${untilMs} and exists (
            select 1 from check_events as later
            where later.check_key = old.check_key
              and later.at_ms > old.at_ms and later.at_ms < ${untilMs})
          limit ${limit})`.execute(db)
      return Number(numAffectedRows)
    },

    readChanges: (afterSequence, limit) =>
      db
        .selectFrom('check_alert_queue')
        .innerJoin('checks', 'checks.key', 'check_key')
        .select(['sequence', 'check_key as checkKey', 'checks.id as checkId'])
        .select(['user_key as userKey', 'check_alert_queue.kind', 'at_ms as atMs'])
        .where('sequence', '>', afterSequence)
        .orderBy('sequence')
        .limit(limit)
        .execute(),
  }
}

function selectChecks(db: Database) {
  return db
    .selectFrom('checks')
    .leftJoin('islands', 'islands.key', 'checks.island_key')
    .leftJoin('check_states', 'check_states.check_key', 'checks.key')
    .leftJoin('devices', (join) =>
      join
        .onRef('devices.id', '=', 'checks.device_id')
        .onRef('devices.user_key', '=', 'checks.user_key'),
    )
    .select(['checks.key', 'checks.id', 'checks.user_key', 'checks.name', 'checks.target'])
    .select(['checks.public_ms', 'checks.is_paused', 'checks.created_ms'])
    .select(['checks.hidden_ms', 'checks.hidden_reason'])
    .select(['islands.key as island_key', 'islands.id as island_id'])
    .select(['devices.key as device_key', 'checks.device_id'])
    .select(['status', 'since_ms', 'looked_ms', 'started_ms', 'due_ms', 'took_ms'])
    .select(['failures', 'note'])
    .where('checks.user_key', 'not in', disabledUsers)
}

type CheckRow = InferResult<ReturnType<typeof selectChecks>>[number]

function toCheck(row: CheckRow): CheckRecord {
  const { key, id, name, island_key: islandKey, island_id: islandId, device_id: deviceId } = row
  const { hidden_ms: hiddenMs, hidden_reason: reason } = row
  return {
    key,
    id,
    userKey: row.user_key,
    name,
    target: v.parse(Target, row.target),
    publicMs: row.public_ms,
    isPaused: row.is_paused === 1,
    island: islandKey === null || islandId === null ? null : { key: islandKey, id: islandId },
    device: deviceId === null ? null : { key: row.device_key, id: deviceId },
    createdMs: row.created_ms,
    hidden: hiddenMs === null ? null : { atMs: hiddenMs, reason: reason ?? '' },
    state: stateOf(row),
  }
}

function stateOf(row: CheckRow): CheckState | null {
  const { status, since_ms: sinceMs, failures } = row
  if (status === null || sinceMs === null || failures === null) return null
  return {
    status,
    sinceMs,
    lookedMs: row.looked_ms,
    startedMs: row.started_ms,
    dueMs: row.due_ms,
    tookMs: row.took_ms,
    failures,
    note: row.note,
  }
}

function columnsOf(update: CheckUpdate) {
  const { name, target, publicMs, isPaused, islandKey, deviceId, pushHash } = update
  return {
    ...(name !== undefined && { name }),
    ...(target !== undefined && { target: JSON.stringify(target) }),
    ...(publicMs !== undefined && { public_ms: publicMs, is_public: Number(publicMs !== null) }),
    ...(isPaused !== undefined && { is_paused: Number(isPaused) }),
    ...(islandKey !== undefined && { island_key: islandKey }),
    ...(deviceId !== undefined && { device_id: deviceId }),
    ...(pushHash !== undefined && { push_hash: pushHash }),
  }
}

async function pause(db: DatabaseTransaction, key: number, atMs: number): Promise<void> {
  const isOther = sql`status <> 'unobserved'`
  await insertEvents(db, [{ checkKey: key, event: { atMs, kind: 'unobserved', note: null } }])
  await sql`
    update check_states set status = 'unobserved', failures = 0, started_ms = null, due_ms = null,
      note = null, since_ms = case when ${isOther} then ${sql.lit(atMs)} else since_ms end
    where check_key = ${key}`.execute(db)
}

async function recordIslands(
  db: DatabaseTransaction,
  record: RecordChange,
  checkKeys: readonly number[],
): Promise<void> {
  const rows = await db
    .selectFrom('checks')
    .select('island_key as key')
    .distinct()
    .where('key', 'in', valueList(db, 'integer', checkKeys))
    .where('island_key', 'is not', null)
    .execute()
  record(
    'island-checks',
    rows.flatMap(({ key }) => key ?? []),
  )
}

/** A statement can't change a row twice, so each part has a check at most once. */
function roundsOf(found: readonly FoundCheck[]): readonly (readonly FoundCheck[])[] {
  const rounds: FoundCheck[][] = []
  const counts = new Map<number, number>()
  for (const one of found) {
    const count = counts.get(one.checkKey) ?? 0
    counts.set(one.checkKey, count + 1)
    const round = rounds[count]
    if (round === undefined) rounds.push([one])
    else round.push(one)
  }
  return rounds
}

/** The checks have to be locked. */
async function listOutdated(
  db: DatabaseTransaction,
  found: readonly FoundCheck[],
): Promise<readonly FoundCheck[]> {
  const unsure = found.filter(({ knownLookedMs }) => knownLookedMs !== undefined)
  if (unsure.length === 0) return []
  const keys = unsure.map(({ checkKey }) => checkKey)
  const rows = await db
    .selectFrom('check_states')
    .select(['check_key', 'looked_ms'])
    .where('check_key', 'in', valueList(db, 'integer', keys))
    .execute()
  const lookedMs = new Map(rows.map((row) => [row.check_key, row.looked_ms]))
  return unsure.filter(
    ({ checkKey, knownLookedMs }) => (lookedMs.get(checkKey) ?? null) !== knownLookedMs,
  )
}

/** To be joined to `given`. */
const watched = sql`checks on checks.key = given.check_key and checks.is_paused = 0`

/** @returns the checks whose status changed */
async function insertEvents(
  db: DatabaseTransaction,
  found: readonly Pick<FoundCheck, 'checkKey' | 'event'>[],
): Promise<readonly number[]> {
  const events = found.flatMap(({ checkKey, event }) =>
    event === null ? [] : [{ checkKey, ...event }],
  )
  if (events.length === 0) return []
  const given = rowList(db, {
    check_key: ['integer', events.map(({ checkKey }) => checkKey)],
    at_ms: ['bigint', events.map(({ atMs }) => atMs)],
    kind: ['text', events.map(({ kind }) => kind)],
    note: ['text', events.map(({ note }) => note)],
  })
  const { rows: recorded } = await sql<{ checkKey: number; atMs: number; kind: string }>`
    insert into check_events (check_key, at_ms, kind, note)
    select checks.key,
      case when last.at_ms >= given.at_ms then last.at_ms + 1 else given.at_ms end,
      given.kind, given.note
    from (${given}) as given join ${watched}
    left join check_events as last on last.check_key = checks.key and last.at_ms = (
      select max(at_ms) from check_events where check_events.check_key = checks.key)
    where coalesce(last.kind, 'unobserved') <> given.kind
    order by checks.key
    returning check_key as "checkKey", at_ms as "atMs", kind`.execute(db)
  const changed = rowList(db, {
    check_key: ['integer', recorded.map(({ checkKey }) => checkKey)],
    at_ms: ['bigint', recorded.map(({ atMs }) => atMs)],
    kind: ['text', recorded.map(({ kind }) => kind)],
  })
  await sql`
    insert into check_alert_queue (check_key, kind, at_ms)
    select changed.check_key, changed.kind, changed.at_ms from (${changed}) as changed
    order by changed.position`.execute(db)
  await sql`
    delete from check_events where (check_key, at_ms) in (
      select old.check_key, old.at_ms
      from (${changed}) as changed
      join check_events as newest_old on newest_old.check_key = changed.check_key
        and newest_old.at_ms = (
          select at_ms from check_events where check_key = changed.check_key
          order by at_ms desc limit 1 offset ${eventsPerCheck})
      join check_events as old on old.check_key = changed.check_key
        and old.at_ms <= newest_old.at_ms)`.execute(db)
  return recorded.map(({ checkKey }) => checkKey)
}

async function insertSamples(db: DatabaseTransaction, found: readonly FoundCheck[]): Promise<void> {
  const samples = found.flatMap(({ checkKey, samples: ofCheck }) =>
    ofCheck.map((sample) => Object.assign({ checkKey }, sample)),
  )
  if (samples.length === 0) return
  const given = rowList(db, {
    check_key: ['integer', samples.map(({ checkKey }) => checkKey)],
    location_key: ['integer', samples.map(({ locationKey }) => locationKey)],
    at_ms: ['bigint', samples.map(({ atMs }) => atMs)],
    took_ms: ['integer', samples.map(({ tookMs }) => tookMs)],
  })
  await sql`
    insert into check_samples (check_key, location_key, at_ms, took_ms)
    select checks.key, given.location_key, given.at_ms, given.took_ms
    from (${given}) as given join ${watched}
    where true
    order by given.position
    on conflict do nothing`.execute(db)
}

async function putStates(db: DatabaseTransaction, found: readonly FoundCheck[]): Promise<void> {
  const column = <Value>(read: (state: CheckState) => Value) =>
    found.map(({ state }) => read(state))
  const given = rowList(db, {
    check_key: ['integer', found.map(({ checkKey }) => checkKey)],
    status: ['text', column(({ status }) => status)],
    since_ms: ['bigint', column(({ sinceMs }) => sinceMs)],
    looked_ms: ['bigint', column(({ lookedMs }) => lookedMs)],
    started_ms: ['bigint', column(({ startedMs }) => startedMs)],
    due_ms: ['bigint', column(({ dueMs }) => dueMs)],
    took_ms: ['integer', column(({ tookMs }) => tookMs)],
    failures: ['integer', column(({ failures }) => failures)],
    note: ['text', column(({ note }) => note)],
  })
  await sql`
    insert into check_states (check_key, status, since_ms, looked_ms, started_ms, due_ms, took_ms,
      failures, note)
    select checks.key, given.status, given.since_ms, given.looked_ms, given.started_ms, given.due_ms,
      given.took_ms, given.failures, given.note
    from (${given}) as given join ${watched}
    where true
    order by checks.key
    on conflict (check_key) do update set status = excluded.status, since_ms = excluded.since_ms,
      looked_ms = excluded.looked_ms, started_ms = excluded.started_ms, due_ms = excluded.due_ms,
      took_ms = excluded.took_ms, failures = excluded.failures, note = excluded.note`.execute(db)
}
