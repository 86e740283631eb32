import type { Kysely } from 'kysely'

/** Indexes that find the newest log entries across islands, of every kind or of one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const indexes = {
    island_log_by_time: ['at_ms', 'key'],
    island_log_by_kind: ['kind', 'at_ms', 'key'],
    island_log_by_island_kind: ['island_key', 'kind', 'at_ms', 'key'],
  }
  for (const [name, columns] of Object.entries(indexes)) {
    await db.schema.createIndex(name).on('island_log').columns(columns).execute()
  }
}
