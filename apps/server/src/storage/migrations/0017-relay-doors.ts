import type { Kysely } from 'kysely'
import { bytes } from '../column-types.ts'

/** How users enter relayed islands, and whether they tell them their names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('relay_tickets')
    .addColumn('ticket_hash', bytes(db), (column) => column.primaryKey())
    .addColumn('state_hash', bytes(db), (column) => column.notNull())
    .addColumn('island_key', 'integer', (column) =>
      column.notNull().references('islands.key').onDelete('cascade'),
    )
    .addColumn('session_hash', bytes(db), (column) =>
      column.notNull().references('sessions.token_hash').onDelete('cascade'),
    )
    .addColumn('expires_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('relay_visits')
    .addColumn('visit_hash', bytes(db), (column) => column.primaryKey())
    .addColumn('island_key', 'integer', (column) =>
      column.notNull().references('islands.key').onDelete('cascade'),
    )
    .addColumn('session_hash', bytes(db), (column) =>
      column.notNull().references('sessions.token_hash').onDelete('cascade'),
    )
    .addColumn('started_ms', 'bigint', (column) => column.notNull())
    .execute()
  for (const table of ['relay_tickets', 'relay_visits']) {
    for (const column of ['island_key', 'session_hash']) {
      const name = `${table}_by_${column === 'island_key' ? 'island' : 'session'}`
      await db.schema.createIndex(name).on(table).column(column).execute()
    }
  }
  await db.schema
    .createTable('relay_answers')
    .addColumn('user_key', 'integer', (column) =>
      column.notNull().references('users.key').onDelete('cascade'),
    )
    .addColumn('island_key', 'integer', (column) =>
      column.notNull().references('islands.key').onDelete('cascade'),
    )
    .addColumn('visitor_id', 'text', (column) => column.notNull().unique())
    // Null once the user has taken it back.
    .addColumn('tells_name', 'integer')
    .addColumn('answered_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('relay_answers_key', ['user_key', 'island_key'])
    .execute()
  await db.schema
    .createIndex('relay_answers_by_island')
    .on('relay_answers')
    .column('island_key')
    .execute()
}
