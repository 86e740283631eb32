import { sql } from 'kysely'
import type { RowOf } from '../../storage/schema.ts'
import { rowList } from '../../storage/sql-lists.ts'
import type { Database, DatabaseTransaction } from '../../storage/storage.ts'
import type { ChangedItems, KeyPage } from './alerts-store.ts'
import { nameOf, type AlertItem, type AlertSubject, type SubjectItems } from './outages.ts'
import type { AlertedItem } from './write-message.ts'

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

export async function readItems(
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
}

export async function readItemsOfUsers(
  db: Database,
  userKeys: readonly number[],
): Promise<ReadonlyMap<number, readonly AlertedItem[]>> {
  const keys = rowList(db, { key: ['integer', userKeys] })
  const { rows } = await sql<AlertedRow>`
    select alert_items.*, coalesce(devices.id, islands.id) as id,
      coalesce(devices.label, islands.name) as name, islands.slug,
      coalesce(devices.user_key, islands.user_key) as owner_key
    from alert_items
    left join devices on devices.key = alert_items.device_key
    left join islands on islands.key = alert_items.island_key
    where alert_items.user_key in (select key from (${keys}) as asked)
      and subject <> 'reports'
    order by since_ms, subject, subject_key`.execute(db)
  const items = rows.map((row) => {
    const { subject: of, id, name, slug } = row
    const isOwn = row.owner_key === row.user_key
    return Object.assign(readItem(row), { of, id, name, slug, isOwn })
  })
  return Map.groupBy(items, ({ userKey }) => userKey)
}

/** Replaces everything stored for these subjects. The joins skip what was deleted meanwhile. */
export async function replaceItems(
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
    insert into alert_items (user_key, subject, subject_key, device_key, island_key, is_over,
      since_ms, ended_ms, times, alerted_ms)
    select users.key, given.subject, given.subject_key, devices.key, islands.key,
      case when given.ended_ms is null then 0 else 1 end, given.since_ms, given.ended_ms,
      given.times, given.alerted_ms
    from (${list}) as given
    join users on users.key = given.user_key
    left join devices
      on given.subject in ('device', 'warning') and devices.key = given.subject_key
    left join islands on given.subject = 'island' and islands.key = given.subject_key
    where given.subject = 'reports' or coalesce(devices.key, islands.key) is not null`.execute(
    transaction,
  )
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
