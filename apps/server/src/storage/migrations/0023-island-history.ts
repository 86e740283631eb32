import { sql, type Kysely } from 'kysely'
import { generatedKey } from '../column-types.ts'
import { isPostgres } from '../database-kind.ts'

/** When islands opened and closed, what of it is to be told, and since when who may know of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('island_events')
    .addColumn('island_key', 'integer', (column) =>
      column.notNull().references('islands.key').onDelete('cascade'),
    )
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('island_events_pk', ['island_key', 'at_ms'])
    // Its rows lie in the order of their key, which would else be kept twice.
    .$call((table) => (isPostgres(db) ? table : table.modifyEnd(sql`without rowid`)))
    .execute()
  // By which old ones are found.
  await db.schema.createIndex('island_events_by_time').on('island_events').column('at_ms').execute()

  // What nobody was told of yet: a row goes with the last of those whom it is for.
  await db.schema
    .createTable('island_changes')
    .addColumn('sequence', 'integer', generatedKey(db))
    .addColumn('island_key', 'integer', (column) =>
      column.notNull().references('islands.key').onDelete('cascade'),
    )
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    // Who comes before, or is that one, has been told.
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
