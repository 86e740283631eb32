import { sql, type Kysely } from 'kysely'
import { databaseNow } from '../storage/postgres-instance.ts'
import type { Schema } from '../storage/schema.ts'

/** A server that was away for longer has to start anew. */
const keptMs = 600_000
const feedMessagesKept = 20_000
const dayMs = 86_400_000

/** Deletes what all servers that may go on have read, and those that are long gone. */
export async function pruneJournals(db: Kysely<Schema>): Promise<void> {
  const now = sql.raw(databaseNow)
  await sql`
    delete from journal using writers
    where writers.writer = journal.writer and at_ms < ${now} - ${sql.lit(keptMs)}
      and (topic <> 'heartbeats' or journal.number <= folded)`.execute(db)
  await sql`
    delete from feed_messages
    where number <= (select feed_number from leadership) - ${sql.lit(feedMessagesKept)}`.execute(db)
  await sql`
    delete from writers
    where alive_ms < ${now} - ${sql.lit(dayMs)}
      and not exists (select from journal where journal.writer = writers.writer)`.execute(db)
}
