import type { CheckStatus } from '@astropelago/contract/checks'
import { sql } from 'kysely'
import { isPostgres } from '../../storage/database-kind.ts'
import type { RowOf } from '../../storage/schema.ts'
import { rowList, valueList } from '../../storage/sql-lists.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import type { Database, DatabaseTransaction } from '../../storage/storage.ts'
import type { AlertsStore, ChangedItems, KeyPage, ReadChanges, TurnEnd } from './alerts-store.ts'
import { nameOf, type AlertItem, type AlertSubject, type SubjectItems } from './outages.ts'
import { insertMessage } from './sql-alert-messages-store.ts'
import type { AlertedItem } from './write-message.ts'

/** Writes after its term are refused. */
interface Leadership {
  readonly writer: number
  readonly term: number
}

/** @param leading undefined if there is only one server */
export function sqlAlertsStore(
  db: Database,
  leading: () => Leadership | undefined = () => undefined,
): AlertsStore {
  const asLeader = (work: (transaction: DatabaseTransaction) => Promise<void>) =>
    db.transaction().execute(async (transaction) => {
      await refuseOldTerm(transaction, leading())
      await work(transaction)
    })

  return {
    itemsOf: (subjects) => readItems(db, subjects),

    storeRead: ({ changed, dueMs, cursor }) =>
      asLeader(async (transaction) => {
        await replaceItems(transaction, changed)
        await advanceTurns(transaction, dueMs)
        await moveCursor(transaction, cursor)
      }),

    listAlertedOfIsland: (islandKey, page) => listUsersOfIsland(db, 'alert_items', islandKey, page),

    positionOf: async (source) => {
      const row = await db
        .selectFrom('alert_cursors')
        .select('position')
        .where('source', '=', source)
        .executeTakeFirst()
      return row?.position ?? 0
    },

    dueTurns: (nowMs, limit) =>
      db
        .selectFrom('alert_turns')
        .select(['user_key as userKey', 'alerted_ms as toldMs'])
        .where('due_ms', '<=', nowMs)
        .orderBy('due_ms')
        .limit(limit)
        .execute(),

    findTurn: (userKey) =>
      db
        .selectFrom('alert_turns')
        .select(['user_key as userKey', 'alerted_ms as toldMs', 'due_ms as dueMs'])
        .where('user_key', '=', userKey)
        .executeTakeFirst(),

    itemsOfUsers: (userKeys) => readItemsOfUsers(db, userKeys),

    endTurns: (ends, nowMs) =>
      asLeader(async (transaction) => {
        for (const end of ends) await endTurn(transaction, end, nowMs)
      }),
  }
}

/** The lock lasts until the commit, so no other server can begin to lead before that. */
async function refuseOldTerm(
  transaction: DatabaseTransaction,
  leading: Leadership | undefined,
): Promise<void> {
  if (leading === undefined || !isPostgres(transaction)) return
  const { rows } = await sql`
    select 1 from leadership
    where writer = ${leading.writer} and term = ${leading.term} for update`.execute(transaction)
  if (rows.length === 0) throw new StorageUnavailable('another server sends alerts by now')
}

async function moveCursor(
  transaction: DatabaseTransaction,
  cursor: ReadChanges['cursor'],
): Promise<void> {
  if (cursor.kind === 'flips') {
    const { reader, writer, sequence } = cursor
    await transaction
      .insertInto('presence_event_cursors')
      .values({ reader, writer, sequence })
      .onConflict((conflict) => conflict.columns(['reader', 'writer']).doUpdateSet({ sequence }))
      .execute()
  } else if (cursor.kind === 'source') {
    const { source, position } = cursor
    await transaction
      .insertInto('alert_cursors')
      .values({ source, position })
      .onConflict((conflict) => conflict.column('source').doUpdateSet({ position }))
      .execute()
  } else if (cursor.kind === 'checks') {
    await transaction
      .deleteFrom('check_alert_queue')
      .where('sequence', 'in', valueList(transaction, 'bigint', cursor.sequences))
      .execute()
  } else if (cursor.alertedUserKey === null) {
    await transaction
      .deleteFrom('island_alert_queue')
      .where('sequence', '=', cursor.islandChange)
      .execute()
  } else {
    await transaction
      .updateTable('island_alert_queue')
      .set({ last_user_key: cursor.alertedUserKey })
      .where('sequence', '=', cursor.islandChange)
      .execute()
  }
}

async function advanceTurns(
  transaction: DatabaseTransaction,
  dueMs: ReadonlyMap<number, number>,
): Promise<void> {
  if (dueMs.size === 0) return
  const list = rowList(transaction, {
    user_key: ['integer', [...dueMs.keys()]],
    due_ms: ['bigint', [...dueMs.values()]],
  })
  await sql`
    insert into alert_turns (user_key, due_ms, alerted_ms)
    select users.key, given.due_ms, null
    from (${list}) as given join users on users.key = given.user_key
    where true
    on conflict (user_key) do update
    set due_ms = case
      when alert_turns.due_ms < excluded.due_ms then alert_turns.due_ms else excluded.due_ms
    end`.execute(transaction)
}

async function endTurn(
  transaction: DatabaseTransaction,
  { userKey, dueMs, messages, changed }: TurnEnd,
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable('alert_turns')
    .set({
      // Rules that changed since the turn was read need another turn.
      due_ms: sql`case when due_ms > ${nowMs} then due_ms else ${dueMs} end`,
      ...(messages.length > 0 && { alerted_ms: nowMs }),
    })
    .where('user_key', '=', userKey)
    .execute()
  await replaceItems(transaction, changed)
  for (const message of messages) await insertMessage(transaction, userKey, message, nowMs)
}

export async function listUsersOfIsland(
  db: Database,
  table: 'alert_items' | 'alert_subject_rules',
  islandKey: number,
  { afterKey, limit }: KeyPage,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom(table)
    .select('user_key')
    .distinct()
    .where('island_key', '=', islandKey)
    .where('user_key', '>', afterKey)
    .orderBy('user_key')
    .limit(limit)
    .execute()
  return rows.map((row) => row.user_key)
}

async function readItems(
  db: Database,
  subjects: readonly AlertSubject[],
): Promise<ReadonlyMap<string, SubjectItems>> {
  const { rows } = await sql<RowOf<'alert_items'>>`
    select * from alert_items
    where (user_key, subject, subject_key) in (${subjectList(db, subjects)})`.execute(db)
  const found = new Map<string, SubjectItems>()
  for (const row of rows) {
    const item = readItem(row)
    const name = nameOf(item)
    found.set(name, { ...found.get(name), [row.is_over === 1 ? 'over' : 'away']: item })
  }
  return found
}

interface AlertedRow extends RowOf<'alert_items'> {
  readonly subject: AlertedItem['of']
  readonly id: string
  readonly name: string
  readonly slug: string | null
  readonly owner_key: number | null
  readonly check_status: CheckStatus | null
  readonly check_note: string | null
}

async function readItemsOfUsers(
  db: Database,
  userKeys: readonly number[],
): Promise<ReadonlyMap<number, readonly AlertedItem[]>> {
  const { rows } = await sql<AlertedRow>`
    select alert_items.*, coalesce(devices.id, islands.id, checks.id) as id,
      coalesce(devices.label, islands.name, checks.name) as name, islands.slug,
      coalesce(devices.user_key, islands.user_key, checks.user_key) as owner_key,
      check_states.status as check_status, check_states.note as check_note
    from alert_items
    left join devices on devices.key = alert_items.device_key
    left join islands on islands.key = alert_items.island_key
    left join checks on checks.key = alert_items.check_key
    left join check_states on check_states.check_key = alert_items.check_key
    where alert_items.user_key in ${valueList(db, 'integer', userKeys)}
      and subject <> 'reports'
    order by alert_items.since_ms, subject, subject_key`.execute(db)
  const items = rows.map((row) => {
    const { subject: of, id, name, slug } = row
    const isOwn = row.owner_key === row.user_key
    const isUnobserved = row.check_status === 'unobserved'
    const text = row.check_note === null ? {} : { text: row.check_note }
    return Object.assign(readItem(row), { of, id, name, slug, isOwn, isUnobserved, ...text })
  })
  return Map.groupBy(items, ({ userKey }) => userKey)
}

/** Replaces everything stored for these subjects. The joins skip what was deleted meanwhile. */
async function replaceItems(
  transaction: DatabaseTransaction,
  changed: readonly ChangedItems[],
): Promise<void> {
  if (changed.length === 0) return
  const subjects = changed.map(({ subject }) => subject)
  const items = changed.flatMap(({ items: { away, over } }) =>
    [away, over].filter((item) => item !== undefined),
  )
  await sql`
    delete from alert_items
    where (user_key, subject, subject_key) in (${subjectList(transaction, subjects)})`.execute(
    transaction,
  )
  if (items.length === 0) return
  const list = rowList(transaction, {
    ...subjectColumns(items),
    since_ms: ['bigint', items.map(({ sinceMs }) => sinceMs)],
    ended_ms: ['bigint', items.map(({ endedMs }) => endedMs)],
    times: ['integer', items.map(({ times }) => times)],
    alerted_ms: ['bigint', items.map(({ toldMs }) => toldMs)],
  })
  await sql`
    insert into alert_items (user_key, subject, subject_key, device_key, island_key, check_key,
      is_over, since_ms, ended_ms, times, alerted_ms)
    select users.key, given.subject, given.subject_key, devices.key, islands.key, checks.key,
      case when given.ended_ms is null then 0 else 1 end, given.since_ms, given.ended_ms,
      given.times, given.alerted_ms
    from (${list}) as given
    join users on users.key = given.user_key
    left join devices
      on given.subject in ('device', 'warning') and devices.key = given.subject_key
    left join islands on given.subject = 'island' and islands.key = given.subject_key
    left join checks on given.subject = 'check' and checks.key = given.subject_key
    where given.subject = 'reports'
      or coalesce(devices.key, islands.key, checks.key) is not null`.execute(transaction)
}

function readItem(row: RowOf<'alert_items'>): AlertItem {
  return {
    userKey: row.user_key,
    of: row.subject,
    key: row.subject_key,
    sinceMs: row.since_ms,
    endedMs: row.ended_ms,
    times: row.times,
    toldMs: row.alerted_ms,
  }
}

function subjectList(db: Database, subjects: readonly AlertSubject[]) {
  const list = rowList(db, subjectColumns(subjects))
  return sql`select user_key, subject, subject_key from (${list}) as asked`
}

function subjectColumns(subjects: readonly AlertSubject[]): Parameters<typeof rowList>[1] {
  return {
    user_key: ['integer', subjects.map(({ userKey }) => userKey)],
    subject: ['text', subjects.map(({ of }) => of)],
    subject_key: ['integer', subjects.map(({ key }) => key)],
  }
}
