import { sql, type Transaction } from 'kysely'
import type { RecordChange } from './change-log.ts'
import type { Schema } from './schema.ts'
import { rowList } from './sql-lists.ts'

/**
 * Changes or deletes devices and records it, with the ids of those that everybody could see before and now
 * can't: readers of the live feed have to drop them.
 */
export async function recordDevices<Result>(
  transaction: Transaction<Schema>,
  { record, keys }: { readonly record: RecordChange; readonly keys: readonly number[] },
  change: () => Promise<Result>,
): Promise<Result> {
  const before = await readShown(transaction, keys)
  const result = await change()
  const after = before.size > 0 ? await readShown(transaction, keys) : before
  const withdrawn = [...before].filter(([key]) => !after.has(key))
  record('devices', keys, withdrawn.length === 0 ? undefined : Object.fromEntries(withdrawn))
  return result
}

/** The ids of those that everybody can see, by key. */
async function readShown(
  transaction: Transaction<Schema>,
  keys: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (keys.length === 0) return new Map()
  const asked = rowList(transaction, { key: ['integer', keys] })
  const { rows } = await sql<{ key: number; id: string }>`
    select key, id from devices
    where key in (select key from (${asked}) as asked)
      and visibility = 'public' and hidden_ms is null
      and user_key not in (select key from users where disabled_ms is not null)`.execute(
    transaction,
  )
  return new Map(rows.map(({ key, id }) => [key, id]))
}
