import { sql, type Transaction } from 'kysely'
import type { RecordedChange } from './change-log.ts'
import { databaseNow } from './postgres-instance.ts'
import type { Schema } from './schema.ts'

/**
 * Stores changes for the other servers. Numbers grow by one, in the order of commits, because the
 * transaction holds the writer's row.
 */
export async function appendChanges(
  transaction: Transaction<Schema>,
  writer: number,
  changes: readonly RecordedChange[],
): Promise<void> {
  await sql`
    with mine as (
      update writers set number = number + ${changes.length}
      where writer = ${writer} returning number - ${changes.length} as before
    )
    insert into changes (writer, number, at_ms, topic, keys, details)
    select ${writer}, before + position, ${sql.raw(databaseNow)}, topic, keys, details
    from mine, rows from (
      jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as (topic text, keys integer[], details jsonb)
    ) with ordinality as recorded (topic, keys, details, position)`.execute(transaction)
}
