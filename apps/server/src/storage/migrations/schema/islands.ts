import { sql, type Kysely } from 'kysely'
import { bytes, codePointText, generatedKey } from '../../column-types.ts'
import { isPostgres } from '../../database-kind.ts'
import { goesWith, notNull, oneFor } from './references.ts'

/** Islands, their people, their logs, and when they were open. */
export async function createIslands(db: Kysely<unknown>): Promise<void> {
  await createIslandsTable(db)
  await createPeople(db)
  await createRoutes(db)
  await createLog(db)
  await indexAllLogs(db)
  await createEvents(db)
}

async function createIslandsTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('islands')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('user_key', 'integer', (column) =>
      column.references('users.key').onDelete('cascade'),
    )
    .addColumn('slug', codePointText(db), (column) => column.notNull().unique())
    .addColumn('name', 'text', notNull)
    .addColumn('kind', 'text', (column) =>
      column.notNull().check(sql`kind in ('social', 'media', 'lab')`),
    )
    .addColumn('picture', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('tagline', 'text', notNull)
    .addColumn('about', 'text', notNull)
    .addColumn('rules_text', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('rules_changed_ms', 'bigint')
    .addColumn('pause_text', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('paused_ms', 'bigint')
    .addColumn('paused_until_ms', 'bigint')
    .addColumn('access', 'text', (column) =>
      column.notNull().check(sql`access in ('public', 'members', 'invited')`),
    )
    .addColumn('is_listed', 'integer', notNull)
    .addColumn('address', 'text')
    .addColumn('is_relayed', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('carrier_key', 'integer', (column) =>
      column.references('devices.key').onDelete('set null'),
    )
    .addColumn('created_ms', 'bigint', notNull)
    .addColumn('published_ms', 'bigint')
    .addColumn('hidden_ms', 'bigint')
    .addColumn('hidden_reason', 'text')
    .addColumn('relay_stopped_ms', 'bigint')
    .addColumn('relay_stopped_reason', 'text')
    .execute()
  await db.schema.createIndex('islands_by_user').on('islands').column('user_key').execute()
  await db.schema.createIndex('islands_by_carrier').on('islands').column('carrier_key').execute()

  await db.schema
    .createTable('island_slugs')
    .addColumn('slug', codePointText(db), (column) => column.primaryKey())
    .addColumn('skeleton', 'text')
    .addColumn('island_key', 'integer', (column) =>
      column.references('islands.key').onDelete('set null'),
    )
    .addColumn('user_key', 'integer', (column) =>
      column.references('users.key').onDelete('set null'),
    )
    .addColumn('replaced_ms', 'bigint')
    .addColumn('certified_ms', 'bigint')
    .execute()
  for (const column of ['skeleton', 'island_key', 'user_key']) {
    await db.schema
      .createIndex(`island_slugs_by_${column}`)
      .on('island_slugs')
      .column(column)
      .execute()
  }
}

async function createPeople(db: Kysely<unknown>): Promise<void> {
  for (const table of ['island_members', 'island_requests', 'island_blocks'] as const) {
    const timeColumn = table === 'island_members' ? 'joined_ms' : 'at_ms'
    await db.schema
      .createTable(table)
      .addColumn('island_key', 'integer', goesWith('islands.key'))
      .addColumn('user_key', 'integer', goesWith('users.key'))
      .addColumn(timeColumn, 'bigint', notNull)
      .$call((people) =>
        table === 'island_requests' ? people.addColumn('text', 'text', notNull) : people,
      )
      .addPrimaryKeyConstraint(`${table}_pk`, ['island_key', 'user_key'])
      .execute()
    await db.schema.createIndex(`${table}_by_user`).on(table).column('user_key').execute()
    await db.schema
      .createIndex(`${table}_by_time`)
      .on(table)
      .columns(['island_key', timeColumn])
      .execute()
  }

  await db.schema
    .createTable('island_invitations')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('island_key', 'integer', goesWith('islands.key'))
    .addColumn('code_hash', bytes(db), (column) => column.notNull().unique())
    .addColumn('note', 'text')
    .addColumn('max_uses', 'integer', notNull)
    .addColumn('uses', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_ms', 'bigint', notNull)
    .addColumn('expires_ms', 'bigint', notNull)
    .execute()
  await db.schema
    .createIndex('island_invitations_by_island')
    .on('island_invitations')
    .column('island_key')
    .execute()
  await db.schema
    .createIndex('island_invitations_by_end')
    .on('island_invitations')
    .column('expires_ms')
    .execute()
}

async function createRoutes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('island_routes')
    .addColumn('island_key', 'integer', goesWith('islands.key'))
    .addColumn('neighbour_key', 'integer', goesWith('islands.key'))
    .addColumn('place', 'integer', notNull)
    .addPrimaryKeyConstraint('island_routes_pk', ['island_key', 'neighbour_key'])
    .execute()
  await db.schema
    .createIndex('island_routes_by_neighbour')
    .on('island_routes')
    .column('neighbour_key')
    .execute()
}

async function createLog(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('island_log')
    .addColumn('key', 'integer', generatedKey(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('island_key', 'integer', goesWith('islands.key'))
    .addColumn('kind', 'text', (column) =>
      column.notNull().check(sql`kind in ('opened', 'closed', 'joined', 'signal', 'note')`),
    )
    .addColumn('user_key', 'integer', (column) =>
      column.references('users.key').onDelete('cascade'),
    )
    .addColumn('text', 'text')
    .addColumn('event_ms', 'bigint')
    .addColumn('at_ms', 'bigint', notNull)
    .addColumn('hidden_ms', 'bigint')
    .addColumn('hidden_reason', 'text')
    .execute()
  await db.schema
    .createIndex('island_log_by_island')
    .on('island_log')
    .columns(['island_key', 'at_ms', 'key'])
    .execute()
  await db.schema
    .createIndex('island_log_by_user')
    .on('island_log')
    .columns(['user_key', 'kind', 'at_ms'])
    .execute()
  // Hosts see how many came in the last day, however long the log is.
  await sql`
    create index island_notes_by_time on island_log (island_key, at_ms)
    where kind = 'note' and hidden_ms is null`.execute(db)
  // Hosts' signals are listed across islands: the newest, and upcoming events.
  await sql`
    create index island_signals_by_time on island_log (at_ms, key) where kind = 'signal'`.execute(
    db,
  )
  await sql`
    create index island_signals_by_event on island_log (event_ms, key)
    where kind = 'signal' and event_ms is not null`.execute(db)
}

/** Indexes that find the newest log entries across islands, of every kind or of one. */
export async function indexAllLogs(db: Kysely<unknown>): Promise<void> {
  const indexes = {
    island_log_by_time: ['at_ms', 'key'],
    island_log_by_kind: ['kind', 'at_ms', 'key'],
    island_log_by_island_kind: ['island_key', 'kind', 'at_ms', 'key'],
  }
  for (const [name, columns] of Object.entries(indexes)) {
    await db.schema.createIndex(name).on('island_log').columns(columns).execute()
  }
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('island_events')
    .addColumn('island_key', 'integer', goesWith('islands.key'))
    .addColumn('at_ms', 'bigint', notNull)
    .addColumn('kind', 'text', notNull)
    .addPrimaryKeyConstraint('island_events_pk', ['island_key', 'at_ms'])
    // Rows are stored in key order. Otherwise the key would be stored twice.
    .$call((table) => (isPostgres(db) ? table : table.modifyEnd(sql`without rowid`)))
    .execute()
  // Finds old rows.
  await db.schema.createIndex('island_events_by_time').on('island_events').column('at_ms').execute()

  await db.schema
    .createTable('island_alert_queue')
    .addColumn('sequence', 'integer', generatedKey(db))
    .addColumn('island_key', 'integer', goesWith('islands.key'))
    .addColumn('at_ms', 'bigint', notNull)
    .addColumn('kind', 'text', notNull)
    .addColumn('last_user_key', 'integer', notNull)
    .execute()
  await db.schema
    .createIndex('island_alert_queue_by_island')
    .on('island_alert_queue')
    .column('island_key')
    .execute()

  await db.schema
    .createTable('island_visible_since')
    .addColumn('island_key', 'integer', oneFor('islands.key'))
    .addColumn('members_ms', 'bigint')
    .addColumn('users_ms', 'bigint')
    .addColumn('everybody_ms', 'bigint')
    .execute()
}
