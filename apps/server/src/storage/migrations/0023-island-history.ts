import { sql, type Kysely } from 'kysely'
import { generatedKey } from '../column-types.ts'
import { isPostgres } from '../database-kind.ts'

/**
 * When islands opened and closed, the alerts that are due for it, and since when each group may know of
 * them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('island_events')
    .addColumn('island_key', 'integer', (column) =>
      column.notNull().references('islands.key').onDelete('cascade'),
    )
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('island_events_pk', ['island_key', 'at_ms'])
    // Rows are stored in key order. Otherwise the key would be stored twice.
    .$call((table) => (isPostgres(db) ? table : table.modifyEnd(sql`without rowid`)))
    .execute()
  // Finds old rows.
  await db.schema.createIndex('island_events_by_time').on('island_events').column('at_ms').execute()

  // Events with alerts that are due. A row is deleted once all its users are handled.
  await db.schema
    .createTable('island_changes')
    .addColumn('sequence', 'integer', generatedKey(db))
    .addColumn('island_key', 'integer', (column) =>
      column.notNull().references('islands.key').onDelete('cascade'),
    )
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    // Users up to this key have been handled.
    .addColumn('told_user_key', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('island_changes_by_island')
    .on('island_changes')
    .column('island_key')
    .execute()

  await db.schema
    .createTable('island_known_since')
    .addColumn('island_key', 'integer', (column) =>
      column.primaryKey().references('islands.key').onDelete('cascade'),
    )
    .addColumn('members_ms', 'bigint')
    .addColumn('users_ms', 'bigint')
    .addColumn('everybody_ms', 'bigint')
    .execute()
}
