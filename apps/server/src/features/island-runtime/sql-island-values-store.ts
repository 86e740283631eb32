import type { ValueEntry, ValueStore } from '@astropelago/contract/island-runtime'
import { sql, type Transaction } from 'kysely'
import { lockRows } from '../../storage/locks.ts'
import type { Schema } from '../../storage/schema.ts'
import { rowList, valueList } from '../../storage/sql-lists.ts'
import type { Database, Storage } from '../../storage/storage.ts'
import type { IslandValuesStore, ValueId, ValueTotals, ValueWrite } from './island-values-store.ts'
import {
  planValueWrites,
  type HeldValue,
  type StoredValue,
  valueName,
} from './plan-value-writes.ts'

/** What one answer lists at most. */
const entriesMax = 1000
const entriesMaxBytes = 4 * 1024 * 1024
/** No key of at most 512 bytes goes on behind a prefix with more than these. */
const afterPrefix = '\u{10ffff}'.repeat(128)

export function sqlIslandValuesStore({
  db,
  longReads,
}: Pick<Storage, 'db' | 'longReads'>): IslandValuesStore {
  return {
    listKeys: async ({ islandKey, store, ownerKey }) => {
      const rows = await longReads
        .selectFrom('island_values')
        .select('name')
        .where('island_key', '=', islandKey)
        .where('store', '=', store)
        .where('owner_key', '=', ownerKey)
        .orderBy('name')
        .execute()
      return rows.map(({ name }) => name)
    },

    read: async (ids) => {
      const { rows } = await sql<EntryRow>`
        select given.name as key, held.value, held.author_id, held.author_name
        from (${idList(db, ids)}) as given left join island_values as held
          using (island_key, store, owner_key, name)
        order by given.position`.execute(db)
      return rows.map(toEntry)
    },

    listEntries: async ({ islandKey, store, ownerKey, prefix }) => {
      const { rows } = await sql<EntryRow & { readonly total: number }>`
        select held.name as key, value, author_id, author_name, total
        from (
          select name, sum(bytes) over (order by changed_ms desc, name) as bytes_so_far,
            count(*) over () as total
          from island_values
          where island_key = ${islandKey} and store = ${store} and owner_key = ${ownerKey}
            and name >= ${prefix} and name <= ${prefix + afterPrefix}
          order by changed_ms desc, name limit ${entriesMax}
        ) as newest
        join island_values as held
          on held.island_key = ${islandKey} and held.store = ${store}
            and held.owner_key = ${ownerKey} and held.name = newest.name
        where bytes_so_far <= ${entriesMaxBytes}
        order by held.name`.execute(longReads)
      return { entries: rows.map(toEntry), isWhole: rows.length === (rows[0]?.total ?? 0) }
    },

    write: (writes) =>
      db.transaction().execute(async (transaction) => {
        const islandKeys = [...new Set(writes.map(({ islandKey }) => islandKey))]
        const userKeys = [...new Set(writes.map(({ writer }) => writer.userKey))]
        await lockRows(transaction, 'users', userKeys)
        await lockRows(transaction, 'islands', islandKeys)
        const plan = planValueWrites(writes, {
          held: await readHeld(transaction, writes),
          users: await readUsers(transaction, userKeys),
          ofIslands: await readTotals(transaction, islandKeys),
          ofVisitors: await readVisitorTotals(transaction, islandKeys, userKeys),
        })
        if (plan.deletes.length > 0) await deleteValues(transaction, plan.deletes)
        if (plan.sets.length > 0) await setValues(transaction, plan.sets)
        return plan.outcomes
      }),

    totals: async (islandKey) =>
      (await readTotals(db, [islandKey])).get(islandKey) ?? { keys: 0, bytes: 0 },

    readState: async (islandKey) => {
      const row = await db
        .selectFrom('island_values')
        .select(({ fn }) => [
          fn.countAll().as('count'),
          fn.sum<number | null>('changed_ms').as('changed'),
        ])
        .where('island_key', '=', islandKey)
        .executeTakeFirst()
      return `${row?.count} ${row?.changed}`
    },
  }
}

interface EntryRow {
  readonly key: string
  readonly value: string | null
  readonly author_id: string | null
  readonly author_name: string | null
}

function toEntry({ key, value, author_id: id, author_name: name }: EntryRow): ValueEntry {
  return { key, value, author: id === null || name === null ? null : { id, name } }
}

async function readHeld(transaction: Database, writes: readonly ValueWrite[]) {
  const list = rowList(transaction, {
    ...idColumns(writes),
    is_append: ['integer', writes.map(({ rule }) => (rule === 'append' ? 1 : 0))],
  })
  const { rows } = await sql<ValueId & HeldValue>`
    select held.island_key as "islandKey", held.store, held.owner_key as "ownerKey",
      held.name as key, held.user_key as "userKey", held.bytes,
      case when given.is_append = 1 then held.value end as value
    from (${list}) as given join island_values as held
      using (island_key, store, owner_key, name)`.execute(transaction)
  return new Map<string, HeldValue>(rows.map((row) => [valueName(row), row]))
}

async function readUsers(transaction: Database, userKeys: readonly number[]) {
  const rows = await transaction
    .selectFrom('users')
    .select('key')
    .where('key', 'in', valueList(transaction, 'integer', userKeys))
    .execute()
  return new Set(rows.map(({ key }) => key))
}

async function readTotals(db: Database, islandKeys: readonly number[]) {
  const rows = await db
    .selectFrom('island_values')
    .select(({ fn }) => [
      'island_key',
      fn.countAll<number>().as('keys'),
      fn.sum<number>('bytes').as('bytes'),
    ])
    .where('island_key', 'in', valueList(db, 'integer', islandKeys))
    .groupBy('island_key')
    .execute()
  return new Map<number, ValueTotals>(
    rows.map((row) => [row.island_key, { keys: row.keys, bytes: row.bytes }]),
  )
}

async function readVisitorTotals(
  db: Database,
  islandKeys: readonly number[],
  userKeys: readonly number[],
) {
  const rows = await db
    .selectFrom('island_values')
    .select(({ fn }) => [
      'island_key',
      'user_key',
      fn.countAll<number>().as('keys'),
      fn.sum<number>('bytes').as('bytes'),
    ])
    .where('island_key', 'in', valueList(db, 'integer', islandKeys))
    .where('user_key', 'in', valueList(db, 'integer', userKeys))
    .groupBy(['island_key', 'user_key'])
    .execute()
  return new Map<string, ValueTotals>(
    rows.map((row) => [`${row.island_key} ${row.user_key}`, { keys: row.keys, bytes: row.bytes }]),
  )
}

async function setValues(transaction: Transaction<Schema>, values: readonly StoredValue[]) {
  const list = rowList(transaction, {
    ...idColumns(values),
    user_key: ['integer', values.map(({ writer }) => writer.userKey)],
    author_id: ['text', values.map(({ writer }) => writer.id)],
    author_name: ['text', values.map(({ writer }) => writer.name)],
    value: ['text', values.map(({ value }) => value)],
    bytes: ['integer', values.map(({ bytes }) => bytes)],
    changed_ms: ['bigint', values.map(({ atMs }) => atMs)],
  })
  // The join leaves out islands that were deleted meanwhile.
  await sql`
    insert into island_values
      (island_key, store, owner_key, name, user_key, author_id, author_name, value, bytes, changed_ms)
    select given.island_key, given.store, given.owner_key, given.name, given.user_key,
      given.author_id, given.author_name, given.value, given.bytes, given.changed_ms
    from (${list}) as given join islands on islands.key = given.island_key
    where true
    on conflict (island_key, store, owner_key, name) do update
    set user_key = excluded.user_key, author_id = excluded.author_id,
      author_name = excluded.author_name, value = excluded.value, bytes = excluded.bytes,
      changed_ms = excluded.changed_ms`.execute(transaction)
}

async function deleteValues(transaction: Transaction<Schema>, ids: readonly ValueId[]) {
  await sql`
    delete from island_values where (island_key, store, owner_key, name) in (
      select island_key, store, owner_key, name from (${idList(transaction, ids)}) as gone
    )`.execute(transaction)
}

function idList(db: Database, ids: readonly ValueId[]) {
  return rowList(db, idColumns(ids))
}

function idColumns(ids: readonly ValueId[]) {
  const stores: readonly ValueStore[] = ids.map(({ store }) => store)
  return {
    island_key: ['integer', ids.map(({ islandKey }) => islandKey)],
    store: ['text', stores],
    owner_key: ['integer', ids.map(({ ownerKey }) => ownerKey)],
    name: ['text', ids.map(({ key }) => key)],
  } as const
}
