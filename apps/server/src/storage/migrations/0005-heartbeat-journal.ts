import { sql, type Kysely } from 'kysely'
import { bytes } from '../column-types.ts'
import { isPostgres } from '../database-kind.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('heartbeat_journal')
    .addColumn('key', isPostgres(db) ? 'bigint' : 'integer', (column) =>
      isPostgres(db) ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey(),
    )
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('device_keys', bytes(db), (column) => column.notNull())
    .execute()

  if (!isPostgres(db)) return
  // Filled and emptied once a minute, so it is vacuumed each time. Compressing such short-lived rows is
  // not worth it.
  await sql`
    alter table heartbeat_journal alter column device_keys set storage external,
      set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`.execute(db)
}
