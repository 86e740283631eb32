import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { expect, test } from 'vitest'
import { insertUser } from '../test/factories.ts'
import { isOnPostgres, openTestStorage, openUnmigrated } from '../test/open-test-storage.ts'
import { migrate, type MigrationProgress, migrations } from './migrations.ts'
import type { Schema } from './schema.ts'

const addMoons: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.createTable('moons').addColumn('key', 'integer').execute()
    await sql`update users set name = 'half-way'`.execute(db)
  },
}
/** The names of all tables, except those of the search index. */
async function tables(db: Kysely<Schema>): Promise<string[]> {
  const found = await db.introspection.getTables()
  return found.map(({ name }) => name).filter((name) => !name.startsWith('search_'))
}

const fail: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('users').addColumn('moon', 'text').execute()
    await sql`insert into nowhere values (1)`.execute(db)
  },
}

test('each pending migration is reported when it begins and when it is done, except for a new database', async () => {
  const db = await openUnmigrated()
  const told: unknown[] = []
  const tell = (migration: MigrationProgress) => void told.push(migration)
  await migrate(db, undefined, tell)
  expect(told).toEqual([])
  await migrate(db, { ...migrations, '9001-moons': addMoons }, tell)
  const name = '9001-moons'
  expect(told).toEqual([
    { name, ms: undefined },
    { name, ms: expect.any(Number) },
  ])
})

test('a fresh database gets every table', async () => {
  const { db } = await openTestStorage()
  expect((await tables(db)).toSorted()).toEqual(
    [
      'alert_channels',
      'alert_cursors',
      'alert_deliveries',
      'alert_items',
      'alert_maintenance',
      'alert_messages',
      'alert_pause',
      'alert_rules',
      'alert_subject_rules',
      'alert_turns',
      'alive_mark',
      'announcements',
      'api_keys',
      'audit_log',
      'avatars',
      'check_alert_queue',
      'check_days',
      'check_doubts',
      'check_events',
      'check_locations',
      'check_proofs',
      'check_samples',
      'check_states',
      'checks',
      'device_days',
      'device_reports',
      'device_tokens',
      'devices',
      'presence_event_cursors',
      'followers',
      'heartbeat_log',
      'hidden_of_neighbours',
      'installation',
      'invites',
      'island_blocks',
      'island_alert_queue',
      'island_events',
      'island_invitations',
      'island_values',
      'island_visible_since',
      'island_llm_budgets',
      'island_llm_usage',
      'island_log',
      'island_members',
      'island_requests',
      'island_routes',
      'island_slugs',
      'islands',
      'key_values',
      'llm_usage',
      'neighbour_devices',
      'neighbour_islands',
      'neighbours',
      'one_time_codes',
      'outages',
      'page_chunks',
      'page_deployments',
      'page_files',
      'page_previews',
      'presence',
      'presence_events',
      'push_keys',
      'relay_addresses',
      'relay_answers',
      'relay_domain_certificates',
      'relay_domains',
      'relay_openings',
      'relay_ports',
      'relay_tickets',
      'relay_grants',
      'reports',
      'room_events',
      'room_silences',
      'rooms',
      'sessions',
      'status_pages',
      'unobserved',
      'users',
      'warning_changes',
      ...(isOnPostgres()
        ? ['changes', 'feed_messages', 'leadership', 'relay_instances', 'relay_leases', 'writers']
        : []),
    ].toSorted(),
  )
})

test('a second run changes nothing and keeps the data', async () => {
  const { db } = await openTestStorage()
  await insertUser(db)
  await migrate(db)
  expect(await db.selectFrom('users').selectAll().execute()).toHaveLength(1)
})

test('S42 a migration that fails midway is named and leaves schema and data as they were', async () => {
  const { db } = await openTestStorage()
  const userKey = await insertUser(db)
  const before = await tables(db)
  const failing = migrate(db, { ...migrations, '9001-moons': addMoons, '9002-fails': fail })
  await expect(failing).rejects.toThrow('Migration 9002-fails failed; the data is as it was')

  expect(await tables(db)).toEqual(before)
  const users = await db.selectFrom('users').selectAll().execute()
  expect(users).toMatchObject([{ key: userKey, name: null }])
  expect(users[0]).not.toHaveProperty('moon')
  await insertUser(db)
  await migrate(db)
})

test('S42 once the failing migration is fixed, all pending ones are applied', async () => {
  const { db } = await openTestStorage()
  const pending = { ...migrations, '9001-moons': addMoons }
  await expect(migrate(db, { ...pending, '9002-fails': fail })).rejects.toThrow('9002-fails')
  await migrate(db, pending)
  expect(await tables(db)).toContain('moons')
})

test('a database of a newer version is not touched', async () => {
  const { db } = await openTestStorage()
  await migrate(db, { ...migrations, '9001-moons': addMoons })
  await expect(migrate(db)).rejects.toThrow(
    'The database is of a newer version of Astropelago (9001-',
  )
  expect(await tables(db)).toContain('moons')
})

test.skipIf(isOnPostgres())(
  'no expression is too deep for the parser of older SQLite',
  async () => {
    const { db } = await openTestStorage()
    const { rows } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_master where sql is not null`.execute(db)
    expect(rows.filter(({ sql: text }) => depthOf(text) > 26).map(({ name }) => name)).toEqual([])
  },
)

/** The deepest nesting of brackets, outside of strings. */
function depthOf(statement: string): number {
  let depth = 0
  let deepest = 0
  for (const char of statement.replaceAll(/'(?:[^']|'')*'/g, '')) {
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}
