import { sql } from 'kysely'
import { countRows } from '../../storage/count-rows.ts'
import { lockRows } from '../../storage/locks.ts'
import { rowList, valueList } from '../../storage/sql-lists.ts'
import type { Database, RecordingStorage } from '../../storage/storage.ts'
import type { EntryId, EntryQuota, EntryWrite, KeyValuesStore } from './key-values-store.ts'
import { entryName, planWrites, type StoredEntry, type StoredState } from './plan-writes.ts'

export function sqlKeyValuesStore({ db, changes }: RecordingStorage): KeyValuesStore {
  return {
    listKeys: async (userKey, collection) => {
      const rows = await db
        .selectFrom('key_values')
        .select('name')
        .where('user_key', '=', userKey)
        .where('collection', '=', collection)
        .orderBy('name')
        .execute()
      return rows.map((row) => row.name)
    },

    listAll: (userKey) =>
      db
        .selectFrom('key_values')
        .select(['user_key as userKey', 'collection', 'name as key'])
        .where('user_key', '=', userKey)
        .orderBy('collection')
        .orderBy('name')
        .execute(),

    count: (userKey) => countRows(db.selectFrom('key_values').where('user_key', '=', userKey)),

    read: async (ids) => {
      const { rows } = await sql<{ value: string | null }>`
        select key_values.value
        from (${idList(db, ids)}) as asked
        left join key_values using (user_key, collection, name)
        order by asked.position`.execute(db)
      return rows.map((row) => row.value)
    },

    write: (writes, quota) =>
      changes.write(async (transaction, record) => {
        const userKeys = [...new Set(writes.map(({ userKey }) => userKey))]
        await lockRows(transaction, 'users', userKeys)
        record('values', userKeys)
        const plan = planWrites(writes, quota, await readState(transaction, userKeys, writes))
        if (plan.deletes.length > 0) await deleteEntries(transaction, plan.deletes)
        if (plan.sets.length > 0) await setEntries(transaction, plan.sets)
        return plan.outcomes
      }),
  }
}

async function readState(
  transaction: Database,
  userKeys: readonly number[],
  writes: readonly EntryWrite[],
): Promise<StoredState> {
  const { rows: usages } = await sql<EntryQuota & { readonly userKey: number }>`
    select user_key as "userKey", count(*) as entries, sum(bytes) as bytes
    from key_values
    where user_key in ${valueList(transaction, 'integer', userKeys)}
    group by user_key`.execute(transaction)
  const { rows: entries } = await sql<EntryId & { readonly bytes: number }>`
    select key_values.user_key as "userKey", key_values.collection, key_values.name as key,
      key_values.bytes
    from (${idList(transaction, writes)}) as asked
    join key_values using (user_key, collection, name)`.execute(transaction)

  const usageByUser = new Map(usages.map((usage) => [usage.userKey, usage]))
  const bytesById = new Map(entries.map((entry) => [entryName(entry), entry.bytes]))
  return {
    usageOf: (userKey) => usageByUser.get(userKey) ?? { entries: 0, bytes: 0 },
    bytesOf: (id) => bytesById.get(entryName(id)),
  }
}

async function setEntries(transaction: Database, entries: readonly StoredEntry[]) {
  const list = rowList(transaction, {
    ...idColumns(entries),
    value: ['text', entries.map(({ value }) => value)],
    bytes: ['integer', entries.map(({ bytes }) => bytes)],
  })
  // The join leaves out users who were deleted meanwhile. One of them must not fail the others.
  await sql`
    insert into key_values (user_key, collection, name, value, bytes)
    select users.key, entry.collection, entry.name, entry.value, entry.bytes
    from (${list}) as entry join users on users.key = entry.user_key
    where true
    on conflict (user_key, collection, name) do update
    set value = excluded.value, bytes = excluded.bytes`.execute(transaction)
}

async function deleteEntries(transaction: Database, ids: readonly EntryId[]) {
  await sql`
    delete from key_values
    where (user_key, collection, name) in (
      select user_key, collection, name from (${idList(transaction, ids)}) as gone
    )`.execute(transaction)
}

function idList(db: Database, ids: readonly EntryId[]) {
  return rowList(db, idColumns(ids))
}

function idColumns(ids: readonly EntryId[]) {
  return {
    user_key: ['integer', ids.map(({ userKey }) => userKey)],
    collection: ['text', ids.map(({ collection }) => collection)],
    name: ['text', ids.map(({ key }) => key)],
  } as const
}
