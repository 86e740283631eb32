import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OwnDevice } from '@astropelago/contract/devices'
import { UserAnswer } from '@astropelago/contract/me'
import { type Kysely, sql } from 'kysely'
import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '../test/create-test-app.ts'
import { everyRow } from '../test/dfe8154/every-row.ts'
import {
  fileOfDfe8154,
  nova,
  openAsItIs,
  placeOfDfe8154,
} from '../test/dfe8154/place-of-dfe8154.ts'
import { isOnPostgres, makeTempDir, openTestStorage } from '../test/open-test-storage.ts'
import { movableClock } from '../test/movable-clock.ts'
import { readCatalog } from '../test/read-catalog.ts'
import { connectAgent } from '../test/relay-agent.ts'
import { askIsland } from '../test/relay-app.ts'
import { checkFile } from './backup/check-storage.ts'
import { restore } from './backup/restore.ts'
import { migrate } from './migrations.ts'
import type { Schema } from './schema.ts'
import { openStorage } from './storage.ts'

function onFatal(error: Error): never {
  throw error
}

function bearer(token: string) {
  return { authorization: `Bearer ${token}` }
}

async function openDfe8154(): Promise<Kysely<Schema>> {
  return await openAsItIs(await placeOfDfe8154())
}

const newTables: Readonly<Record<string, string>> = {
  alert_thing_rules: 'alert_subject_rules',
  flip_cursors: 'presence_event_cursors',
  heartbeat_journal: 'heartbeat_log',
  island_changes: 'island_alert_queue',
  island_known_since: 'island_visible_since',
  journal: 'changes',
  relay_visits: 'relay_grants',
}
const newColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  alert_channels: { answer_note: 'answer_text' },
  alert_items: { told_ms: 'alerted_ms' },
  alert_turns: { look_ms: 'due_ms', told_ms: 'alerted_ms' },
  island_changes: { told_user_key: 'last_user_key' },
  islands: { door: 'access' },
  relay_answers: { tells_name: 'shares_name' },
  relay_visits: { visit_hash: 'grant_hash' },
}

test('S42 a database of dfe8154 keeps every row of every table', async () => {
  const db = await openDfe8154()
  const before = await everyRow(db)
  await migrate(db)
  const after = await everyRow(db)
  for (const [table, rows] of Object.entries(before)) {
    if (table.startsWith('kysely_')) continue
    const expected = rows.map((row) =>
      expect.objectContaining(
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [newColumns[table]?.[name] ?? name, value]),
        ),
      ),
    )
    expect({ table, rows: rows.length }).not.toEqual({ table, rows: 0 })
    expect(after[newTables[table] ?? table]).toHaveLength(rows.length)
    expect(after[newTables[table] ?? table]).toEqual(expect.arrayContaining(expected))
  }
  const { rows: misplaced } = await sql`
    select 1 from alert_deliveries join alert_messages on alert_messages.key = message_key
    where alert_deliveries.user_key <> alert_messages.user_key`.execute(db)
  expect(misplaced).toEqual([])
})

test('S42 a database of dfe8154 has the schema of a new one, and takes new rows and searches', async () => {
  const db = await openDfe8154()
  await migrate(db)
  const { db: fresh } = await openTestStorage()
  expect(await readCatalog(db)).toEqual(await readCatalog(fresh))
  await migrate(db)
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  expect(rows).toEqual([
    { name: '0001-schema' },
    { name: '0002-domains' },
    { name: '0003-hosted-pages' },
    { name: '0004-rooms' },
    { name: '0005-device-schedules' },
    { name: '0006-checks' },
    { name: '0007-locations' },
    { name: '0008-own-devices' },
    { name: '0009-neighbours' },
    { name: '0010-hidden-checks' },
  ])
})

test('S42 cookies, passwords, keys, tokens and agents of dfe8154 still work', async () => {
  const place = await placeOfDfe8154()
  // Its times are the last that there are, and servers judge by the newest.
  await sql`delete from heartbeat_journal`.execute(await openAsItIs(place))
  const storage = await openStorage({ ...place, onFatal })
  onTestFinished(() => storage.close())
  const { app, inject } = await createTestApp({
    storage,
    clock: movableClock(Date.UTC(2030, 0, 2)),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })

  const cookies = { astropelago_session: nova.session }
  const me = v.parse(UserAnswer, (await inject({ url: '/api/me', cookies })).json())
  expect(me.user.username).toBe(nova.username)
  const { username, password } = nova
  const signIn = {
    method: 'POST',
    url: '/api/auth/password-login',
    payload: { username, password },
  } as const
  expect((await inject(signIn)).statusCode).toBe(200)

  const heartbeat = { method: 'POST', url: '/api/devices/heartbeat-token' } as const
  const beat = await inject({ ...heartbeat, headers: bearer(nova.reportToken), payload: {} })
  expect(beat.statusCode).toBe(204)
  const list = await inject({ url: '/api/me/devices', headers: bearer(nova.apiKey) })
  expect(v.parse(v.array(OwnDevice), list.json())).toMatchObject([
    { id: nova.deviceId, label: 'Pi at home', status: 'online' },
  ])

  const url = app.listeningOrigin
  await connectAgent(url, nova.relayToken)
  await expect.poll(async () => (await askIsland(url, nova.slug)).statusCode).toBe(200)
})

test('S42 a failed upgrade from dfe8154 leaves the database as it was', async () => {
  const db = await openDfe8154()
  await sql`create table avatars (key integer)`.execute(db)
  await sql`insert into avatars values (1)`.execute(db)
  const before = await everyRow(db)
  const catalog = await readCatalog(db)
  await expect(migrate(db)).rejects.toThrow('avatars')
  expect(await everyRow(db)).toEqual(before)
  expect(await readCatalog(db)).toEqual(catalog)
})

test('S42 a database from before dfe8154 is refused and not touched', async () => {
  const db = await openDfe8154()
  await sql`delete from kysely_migration where name > '0006'`.execute(db)
  const before = await everyRow(db)
  await expect(migrate(db)).rejects.toThrow(
    'The database is of an earlier version. Start Astropelago dfe8154 once, which upgrades it, then this one.',
  )
  expect(await everyRow(db)).toEqual(before)
})

test.runIf(isOnPostgres())(
  'S42 a database on which servers of dfe8154 run is refused and not touched',
  async () => {
    const db = await openDfe8154()
    await sql`
      update writers set is_running = true,
        alive_ms = extract(epoch from clock_timestamp()) * 1000`.execute(db)
    const before = await everyRow(db)
    await expect(migrate(db)).rejects.toThrow('Stop all of them first')
    expect(await everyRow(db)).toEqual(before)
  },
)

test('S42 a backup of dfe8154 is brought to this version and restored', async () => {
  const file = join(await makeTempDir(), 'backup.sqlite')
  await writeFile(file, await fileOfDfe8154())
  expect(checkFile(file).isOlder).toBe(true)
  const place = await placeOfDfe8154()
  await restore({ ...place, file, isForced: true })
  const storage = await openStorage({ ...place, onFatal })
  onTestFinished(() => storage.close())
  const devices = storage.db.selectFrom('devices').select('label').where('id', '=', nova.deviceId)
  expect(await devices.execute()).toEqual([{ label: 'Pi at home' }])
})
