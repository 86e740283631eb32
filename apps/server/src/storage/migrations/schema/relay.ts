import type { Kysely } from 'kysely'
import { bytes } from '../../column-types.ts'
import { goesWith, notNull, oneFor } from './references.ts'

/** How visitors enter relayed islands, and whether those are open. */
export async function createRelay(db: Kysely<unknown>): Promise<void> {
  await createGrants(db)
  await createPorts(db)
  await db.schema
    .createTable('relay_openings')
    .addColumn('island_key', 'integer', oneFor('islands.key'))
    .addColumn('is_open', 'integer', notNull)
    .addColumn('since_ms', 'bigint', notNull)
    .execute()
  await db.schema
    .createIndex('relay_openings_by_time')
    .on('relay_openings')
    .columns(['since_ms', 'island_key'])
    .execute()
}

async function createGrants(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('relay_tickets')
    .addColumn('ticket_hash', bytes(db), (column) => column.primaryKey())
    .addColumn('state_hash', bytes(db), notNull)
    .addColumn('island_key', 'integer', goesWith('islands.key'))
    .addColumn('session_hash', bytes(db), goesWith('sessions.token_hash'))
    .addColumn('expires_ms', 'bigint', notNull)
    .execute()
  await db.schema
    .createTable('relay_grants')
    .addColumn('grant_hash', bytes(db), (column) => column.primaryKey())
    .addColumn('island_key', 'integer', goesWith('islands.key'))
    .addColumn('session_hash', bytes(db), goesWith('sessions.token_hash'))
    .addColumn('started_ms', 'bigint', notNull)
    .execute()
  for (const table of ['relay_tickets', 'relay_grants']) {
    await db.schema.createIndex(`${table}_by_island`).on(table).column('island_key').execute()
    await db.schema.createIndex(`${table}_by_session`).on(table).column('session_hash').execute()
  }

  await db.schema
    .createTable('relay_answers')
    .addColumn('user_key', 'integer', goesWith('users.key'))
    .addColumn('island_key', 'integer', goesWith('islands.key'))
    .addColumn('visitor_id', 'text', (column) => column.notNull().unique())
    .addColumn('shares_name', 'integer')
    .addColumn('answered_ms', 'bigint', notNull)
    .addPrimaryKeyConstraint('relay_answers_key', ['user_key', 'island_key'])
    .execute()
  await db.schema
    .createIndex('relay_answers_by_island')
    .on('relay_answers')
    .column('island_key')
    .execute()
}

async function createPorts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('relay_ports')
    .addColumn('port', 'integer', (column) => column.primaryKey())
    // The island that has it, or had it last. That island gets it again.
    .addColumn('island_key', 'integer', (column) =>
      column.unique().references('islands.key').onDelete('set null'),
    )
    // Null while the island has it, and after the island's end until a server notices.
    .addColumn('freed_ms', 'bigint')
    .execute()

  await db.schema
    .createTable('relay_addresses')
    .addColumn('island_key', 'integer', goesWith('islands.key'))
    .addColumn('user_key', 'integer', goesWith('users.key'))
    .addColumn('address_hash', bytes(db), notNull)
    .addColumn('seen_ms', 'bigint', notNull)
    .addPrimaryKeyConstraint('relay_addresses_pk', ['island_key', 'address_hash', 'user_key'])
    .execute()
  await db.schema
    .createIndex('relay_addresses_by_user')
    .on('relay_addresses')
    .columns(['user_key', 'island_key', 'seen_ms'])
    .execute()
  await db.schema
    .createIndex('relay_addresses_by_time')
    .on('relay_addresses')
    .column('seen_ms')
    .execute()
}
