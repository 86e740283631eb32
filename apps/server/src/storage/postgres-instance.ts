import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { RecordedChange } from './change-log.ts'
import type { Schema } from './schema.ts'

/** The database's clock, which all servers that share it use ([P2]). */
export const databaseNow = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** A server that has not renewed its sign of life for this long counts as gone or cut off. */
export const silentAfterMs = 3000

/** Never waits for this server's own writes. @throws StorageUnavailable */
export type ReadByPool = <Row>(query: RawBuilder<Row>) => Promise<{ readonly rows: readonly Row[] }>

/** The fastest of several answers measures the time most accurately. */
const samples = 3

/** Measures how far the database's clock is ahead of this machine's. */
export function databaseClock(read: ReadByPool) {
  let aheadMs = 0
  return {
    /** The database's time, accurate to half a round trip. */
    now: (): number => Date.now() + aheadMs,
    /** Call it regularly, because clocks drift and are set. @throws StorageUnavailable */
    measure: async (): Promise<void> => {
      let fastestMs = Number.POSITIVE_INFINITY
      for (let sample = 0; sample < samples; sample += 1) {
        const startMs = performance.now()
        const { rows } = await read(sql<{ ms: number }>`select ${sql.raw(databaseNow)} as ms`)
        const tookMs = performance.now() - startMs
        if (tookMs >= fastestMs) continue
        fastestMs = tookMs
        aheadMs = Math.round((rows[0]?.ms ?? 0) + tookMs / 2 - Date.now())
      }
    },
  }
}

/** Numbers grow by one, in the order of commits: the transaction holds the writer's row. */
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
