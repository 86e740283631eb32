import { sql, type Transaction } from 'kysely'
import type { Schema } from '../../storage/schema.ts'
import { rowList } from '../../storage/sql-lists.ts'
import type { Database } from '../../storage/storage.ts'
import type { ChangedItems } from './alerts-store.ts'
import { nameOf, type AlertItem, type AlertSubject, type SubjectItems } from './outages.ts'
import type { AlertedItem } from './write-message.ts'

interface ItemRow {
  readonly user_key: number
  readonly subject: AlertSubject['of']
  readonly subject_key: number
  readonly is_over: number
  readonly since_ms: number
  readonly ended_ms: number | null
  readonly times: number
  readonly alerted_ms: number | null
}

interface ToldItemRow extends ItemRow {
  readonly subject: AlertedItem['of']
  readonly id: string
  readonly name: string
  readonly slug: string | null
  readonly owner_key: number | null
}

/** Keyed by `nameOf`. */
export async function readItems(
  db: Database,
  things: readonly AlertSubject[],
): Promise<ReadonlyMap<string, SubjectItems>> {
  const { rows } = await sql<ItemRow>`
    select * from alert_items
    where (user_key, subject, subject_key) in (${thingList(db, things)})`.execute(db)
  const found = new Map<string, SubjectItems>()
  for (const row of rows) {
    const item = readItem(row)
    const name = nameOf(item)
    found.set(name, { ...found.get(name), [row.is_over === 1 ? 'over' : 'away']: item })
  }
  return found
}

/** Alerts about devices and islands, with the names that messages use. */
export async function readItemsOfUsers(
  db: Database,
  userKeys: readonly number[],
): Promise<ReadonlyMap<number, readonly AlertedItem[]>> {
  const keys = rowList(db, { key: ['integer', userKeys] })
  const { rows } = await sql<ToldItemRow>`
    select alert_items.*, coalesce(devices.id, islands.id) as id,
      coalesce(devices.label, islands.name) as name, islands.slug,
      coalesce(devices.user_key, islands.user_key) as owner_key
    from alert_items
    left join devices on devices.key = alert_items.device_key
    left join islands on islands.key = alert_items.island_key
    where alert_items.user_key in (select key from (${keys}) as asked)
      and subject <> 'reports'
    order by since_ms, subject, subject_key`.execute(db)
  const found = new Map<number, AlertedItem[]>()
  for (const row of rows) {
    const { subject: of, id, name, slug } = row
    const item = { ...readItem(row), of, id, name, slug, isOwn: row.owner_key === row.user_key }
    const ofUser = found.get(row.user_key)
    if (ofUser === undefined) found.set(row.user_key, [item])
    else ofUser.push(item)
  }
  return found
}

/**
 * Replaces everything stored for these things. The joins skip things and users that were deleted meanwhile,
 * so that they do not fail the others.
 */
export async function replaceItems(
  transaction: Transaction<Schema>,
  changed: readonly ChangedItems[],
): Promise<void> {
  if (changed.length === 0) return
  const things = changed.map(({ thing }) => thing)
  const items = changed.flatMap(({ items: { away, over } }) =>
    [away, over].filter((item) => item !== undefined),
  )
  await sql`
    delete from alert_items
    where (user_key, subject, subject_key) in (${thingList(transaction, things)})`.execute(
    transaction,
  )
  if (items.length === 0) return
  const list = rowList(transaction, {
    user_key: ['integer', items.map(({ userKey }) => userKey)],
    subject: ['text', items.map(({ of }) => of)],
    subject_key: ['integer', items.map(({ key }) => key)],
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

function readItem(row: ItemRow): AlertItem {
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

function thingList(db: Database, things: readonly AlertSubject[]) {
  return sql`select user_key, subject, subject_key from (${rowList(db, {
    user_key: ['integer', things.map(({ userKey }) => userKey)],
    subject: ['text', things.map(({ of }) => of)],
    subject_key: ['integer', things.map(({ key }) => key)],
  })}) as asked`
}
