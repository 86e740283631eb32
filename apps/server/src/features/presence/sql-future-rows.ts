import { sql } from 'kysely'
import { dayMs } from '../../history/time-spans.ts'
import type { Schema } from '../../storage/schema.ts'
import type { DatabaseTransaction } from '../../storage/storage.ts'

/**
 * Times that what comes next is compared with: one that is still to come would freeze it until then. A look or a try
 * that was to come soon comes at once, which does no harm.
 */
const clampedTimes: readonly (readonly [table: keyof Schema, column: string])[] = [
  ['presence', 'last_seen_ms'],
  ['presence_events', 'at_ms'],
  ['alive_mark', 'at_ms'],
  ['outages', 'to_ms'],
  ['unobserved', 'to_ms'],
  ['device_reports', 'at_ms'],
  ['device_reports', 'since_ms'],
  ['devices', 'public_since_ms'],
  ['island_events', 'at_ms'],
  ['island_changes', 'at_ms'],
  ['island_known_since', 'members_ms'],
  ['island_known_since', 'users_ms'],
  ['island_known_since', 'everybody_ms'],
  ['alert_items', 'since_ms'],
  ['alert_items', 'ended_ms'],
  ['alert_items', 'told_ms'],
  ['alert_turns', 'look_ms'],
  ['alert_turns', 'told_ms'],
  ['alert_messages', 'at_ms'],
  ['alert_deliveries', 'tried_ms'],
  ['alert_deliveries', 'next_ms'],
]

/** What is said to have been after `nowMs` was at `nowMs`. */
export async function clampTimes(transaction: DatabaseTransaction, nowMs: number): Promise<void> {
  await transaction.deleteFrom('outages').where('from_ms', '>', nowMs).execute()
  await transaction.deleteFrom('unobserved').where('from_ms', '>', nowMs).execute()
  // Today is not over, and what is to come has not been.
  await transaction
    .deleteFrom('device_days')
    .where('day', '>=', Math.floor(nowMs / dayMs))
    .execute()
  // No two of an island can be at one time.
  await sql`
    delete from island_events where at_ms >= ${nowMs} and exists (
      select 1 from island_events as later
      where later.island_key = island_events.island_key
        and later.at_ms > island_events.at_ms)`.execute(transaction)
  for (const [table, column] of clampedTimes) {
    const atMs = sql.ref(column)
    await sql`
      update ${sql.table(table)} set ${atMs} = ${nowMs} where ${atMs} > ${nowMs}`.execute(
      transaction,
    )
  }
  // What an island is again is no event.
  await sql`
    delete from island_events where at_ms = ${nowMs} and kind = (
      select kind from island_events as earlier
      where earlier.island_key = island_events.island_key and earlier.at_ms < ${nowMs}
      order by at_ms desc limit 1)`.execute(transaction)
}
