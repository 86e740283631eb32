import { sql, type Kysely } from 'kysely'
import type { JournalTopic, Schema } from '../storage/schema.ts'
import type { JournalRow } from './cluster.ts'

const pageSize = 20_000

/** How far each writer's journal is known. */
export type Cursors = ReadonlyMap<number, number>

/** What came after the cursors, up to a page of it: what is missing is later in its journal. */
export async function readJournals(
  db: Kysely<Schema>,
  cursors: Cursors,
): Promise<readonly JournalRow[]> {
  const { rows } = await sql<{
    writer: number
    number: number
    at_ms: number
    topic: JournalTopic
    device_keys: Uint8Array | null
    keys: number[] | null
    details: unknown
  }>`
    select journal.*
    from unnest(${[...cursors.keys()]}::integer[], ${[...cursors.values()]}::bigint[])
      as known (writer, up_to)
    join journal on journal.writer = known.writer and number > up_to
    order by number, writer limit ${pageSize}`.execute(db)
  return rows.map((row) => ({
    writer: row.writer,
    number: row.number,
    atMs: row.at_ms,
    topic: row.topic,
    deviceKeys: row.device_keys ?? new Uint8Array(),
    keys: row.keys ?? [],
    details: row.details,
  }))
}

/** The cursors after these rows; undefined where some between are there no more. */
export function cursorsAfter(cursors: Cursors, rows: readonly JournalRow[]): Cursors | undefined {
  const after = new Map(cursors)
  for (const { writer, number } of rows) {
    if (number !== (after.get(writer) ?? 0) + 1) return undefined
    after.set(writer, number)
  }
  return after
}

/** As JSON. */
export function fromCursors(cursors: Cursors): string {
  return JSON.stringify(Object.fromEntries(cursors))
}

export function toCursors(cursors: Readonly<Record<string, number>>): Cursors {
  return new Map(Object.entries(cursors).map(([writer, number]) => [Number(writer), number]))
}
