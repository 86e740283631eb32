import { sql } from 'kysely'
import { dayMs, dayStart } from '../../history/time-spans.ts'
import { isPostgres } from '../../storage/database-kind.ts'
import type { Schema } from '../../storage/schema.ts'
import type { DatabaseTransaction } from '../../storage/storage.ts'

/** Times that later ones are compared with. One in the future would freeze that comparison until then. */
const clampedTimes: readonly (readonly [table: keyof Schema, column: string])[] = [
  ['presence', 'last_seen_ms'],
  ['presence_events', 'at_ms'],
  ['alive_mark', 'at_ms'],
  ['outages', 'to_ms'],
  ['unobserved', 'to_ms'],
  ['device_reports', 'at_ms'],
  ['device_reports', 'since_ms'],
  ['device_reports', 'started_ms'],
  ['devices', 'public_since_ms'],
  ['island_events', 'at_ms'],
  ['island_alert_queue', 'at_ms'],
  ['island_visible_since', 'members_ms'],
  ['island_visible_since', 'users_ms'],
  ['island_visible_since', 'everybody_ms'],
  ['alert_items', 'since_ms'],
  ['alert_items', 'ended_ms'],
  ['alert_items', 'alerted_ms'],
  ['alert_turns', 'due_ms'],
  ['alert_turns', 'alerted_ms'],
  ['alert_messages', 'at_ms'],
  ['alert_deliveries', 'tried_ms'],
  ['alert_deliveries', 'next_ms'],
]

/** Heartbeats count from then at the earliest, on servers that share a database. */
const lastJudged = ['writers', 'judged_ms'] as const

export async function clampTimes(transaction: DatabaseTransaction, nowMs: number): Promise<void> {
  await transaction.deleteFrom('outages').where('from_ms', '>', nowMs).execute()
  await transaction.deleteFrom('unobserved').where('from_ms', '>', nowMs).execute()
  // Today has not ended, and nothing has happened in the future.
  await transaction
    .deleteFrom('device_days')
    .where('day', '>=', Math.floor(nowMs / dayMs))
    .execute()
  // An island cannot have two events at one time.
  await sql`
    delete from island_events where at_ms >= ${nowMs} and exists (
      select 1 from island_events as later
      where later.island_key = island_events.island_key
        and later.at_ms > island_events.at_ms)`.execute(transaction)
  await remakeDays(transaction, nowMs)
  await collapseFlips(transaction, nowMs)
  const times = isPostgres(transaction) ? [...clampedTimes, lastJudged] : clampedTimes
  for (const [table, column] of times) {
    const atMs = sql.ref(column)
    await sql`
      update ${sql.table(table)} set ${atMs} = ${nowMs} where ${atMs} > ${nowMs}`.execute(
      transaction,
    )
  }
  // A change to the same state is no event.
  await sql`
    delete from island_events where at_ms = ${nowMs} and kind = (
      select kind from island_events as earlier
      where earlier.island_key = island_events.island_key and earlier.at_ms < ${nowMs}
      order by at_ms desc limit 1)`.execute(transaction)
}

/** Lets readers derive today's and future days from the flips again. */
async function remakeDays(transaction: DatabaseTransaction, nowMs: number): Promise<void> {
  const { first } = await transaction
    .selectFrom('presence_events')
    .where('at_ms', '>=', dayStart(nowMs))
    .select((flips) => flips.fn.min('sequence').as('first'))
    .executeTakeFirstOrThrow()
  if (first === null) return
  await transaction
    .updateTable('presence_event_cursors')
    .set({ sequence: first - 1 })
    // The cursor of `rollUpDays`.
    .where('reader', '=', 'days')
    .where('sequence', '>=', first)
    .execute()
}

/** Keeps a device's last flip in the future for readers ([P9]), and the one before if its status repeats. */
async function collapseFlips(transaction: DatabaseTransaction, nowMs: number): Promise<void> {
  await sql`
    delete from presence_events where sequence in (
      select sequence from (
        select sequence,
          row_number() over of_device as nth,
          first_value(status) over of_device as last_status,
          (select status from presence_events as earlier
            where earlier.device_key = flips.device_key and earlier.at_ms < ${nowMs}
            order by at_ms desc, sequence desc limit 1) as earlier_status
        from presence_events as flips where at_ms >= ${nowMs}
        window of_device as (partition by device_key order by sequence desc)
      ) as to_come
      where nth > case when last_status = earlier_status then 2 else 1 end)`.execute(transaction)
}
