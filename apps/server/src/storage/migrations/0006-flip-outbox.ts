import { sql, type Kysely } from 'kysely'
import { leaveRoomForUpdates } from '../column-types.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('presence_events').renameColumn('key', 'sequence').execute()
  // SQLite has one writer. A value of 1 takes no space in its rows.
  await db.schema
    .alterTable('presence_events')
    .addColumn('writer', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()

  await db.schema
    .createTable('flip_cursors')
    .addColumn('reader', 'text', (column) => column.notNull())
    .addColumn('writer', 'integer', (column) => column.notNull())
    .addColumn('sequence', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('flip_cursors_pk', ['reader', 'writer'])
    .execute()
  await leaveRoomForUpdates(db, 'flip_cursors', 10)
  // The log begins now, so earlier flips don't appear in it.
  await sql`
    insert into flip_cursors (reader, writer, sequence)
    select 'log', 1, coalesce(max(sequence), 0) from presence_events`.execute(db)
}
