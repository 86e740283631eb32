import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { Recording } from './change-log.ts'
import type { Schema } from './schema.ts'
import { isShownIsland } from './sql-access-rows.ts'
import { valueList } from './sql-lists.ts'

type Withdrawn = 'devices' | 'islands'

const shown: Readonly<Record<Withdrawn, RawBuilder<unknown>>> = {
  // With `isShownDevice`, PostgreSQL reads all devices for each list of keys.
  devices: sql`from devices as shown
    left join users on users.key = shown.user_key
    where users.disabled_ms is null and shown.hidden_ms is null and visibility = 'public'`,
  islands: sql`from islands as shown where ${isShownIsland('shown')} and is_listed = 1`,
}

/** Also records the ids of those that are hidden from now on: readers of the live feed have to drop them. */
export async function recordWithdrawals<Result>(
  { transaction, record }: Recording,
  topic: Withdrawn,
  keys: readonly number[],
  change: () => Promise<Result>,
): Promise<Result> {
  const before = await readShown(transaction, topic, keys)
  const result = await change()
  const after = before.size > 0 ? await readShown(transaction, topic, keys) : before
  const withdrawn = [...before].filter(([key]) => !after.has(key))
  record(topic, keys, withdrawn.length === 0 ? undefined : Object.fromEntries(withdrawn))
  return result
}

async function readShown(
  transaction: Transaction<Schema>,
  topic: Withdrawn,
  keys: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<{ key: number; id: string }>`
    select shown.key, shown.id ${shown[topic]}
      and shown.key in ${valueList(transaction, 'integer', keys)}`.execute(transaction)
  return new Map(rows.map(({ key, id }) => [key, id]))
}
