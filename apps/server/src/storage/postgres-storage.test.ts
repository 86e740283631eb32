import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { registerTestDevice } from '../test/api-devices.ts'
import { createTestApp } from '../test/create-test-app.ts'
import { insertDevice, insertUser } from '../test/factories.ts'
import { noLimits, openTestDatabase, openTestStorage } from '../test/open-test-storage.ts'
import { migrate, migrations } from './migrations.ts'
import { openPostgresStorage } from './postgres-storage.ts'
import { DatabaseUnreachable, TextUnstorable, UniqueViolation } from './storage-error.ts'

test('S40 a text with NUL is refused, also in a list, and nothing of it is kept', async () => {
  const { db } = await openTestStorage()
  for (const value of ['a\0b', ['a', 'a\0b']]) {
    await expect(sql`select ${value}`.execute(db)).rejects.toThrow(TextUnstorable)
  }
  const failing = db.transaction().execute(async (transaction) => {
    await insertUser(transaction)
    await sql`update users set name = ${'a\0b'}`.execute(transaction)
  })
  await expect(failing).rejects.toThrow(TextUnstorable)
  expect(await db.selectFrom('users').selectAll().execute()).toEqual([])
})

test('S40 whatever a call names with NUL is refused as malformed or not found', async () => {
  const { inject, signUp } = await createTestApp()
  const owner = await signUp()
  await registerTestDevice(owner)
  const nul = '%00'
  for (const { method, url } of [
    { method: 'GET', url: `/api/devices/a${nul}` },
    { method: 'PATCH', url: `/api/devices/a${nul}` },
    { method: 'DELETE', url: `/api/devices/a${nul}` },
    { method: 'POST', url: `/api/devices/heartbeat?id=a${nul}` },
    { method: 'GET', url: `/_spark/kv/a${nul}` },
    { method: 'GET', url: `/_spark/kv?collection=a${nul}` },
  ] as const) {
    const payload = method === 'PATCH' ? { payload: { label: 'Roof' } } : {}
    const { statusCode } = await owner.inject({ method, url, ...payload })
    expect([400, 404]).toContain(statusCode)
  }
  const payload = { username: 'a\0b', password: 'correct horse battery' }
  const signIn = await inject({ method: 'POST', url: '/api/auth/password-login', payload })
  expect([400, 401]).toContain(signIn.statusCode)
})

test('numbers of 64 bits come as numbers, bytes as bytes', async () => {
  const { db } = await openTestStorage()
  const far = Number.MAX_SAFE_INTEGER
  await insertDevice(db)
  await db.updateTable('devices').set({ created_ms: far }).execute()
  const { rows } = await sql<Record<string, unknown>>`
    select max(created_ms) as far, count(*) as count, sum(created_ms) as sum,
      ${new Uint8Array([0, 255])}::bytea as bytes from devices`.execute(db)
  expect(rows).toStrictEqual([{ far, count: 1, sum: far, bytes: new Uint8Array([0, 255]) }])
})

test('what violates a unique key says so', async () => {
  const { db } = await openTestStorage()
  await sql`insert into outages values (1, 2)`.execute(db)
  const again = sql`insert into outages values (1, 3)`.execute(db)
  await expect(again).rejects.toThrow(UniqueViolation)
})

test('two writes become known in the order of their calls', async () => {
  const { db } = await openTestStorage()
  const order: number[] = []
  await Promise.all(
    [30, 0, 10].map(async (ms, index) => {
      await sql`select pg_sleep(${ms / 1000}::float8)`.execute(db)
      order.push(index)
    }),
  )
  expect(order).toEqual([0, 1, 2])
})

test('reads go on while a write takes its time', async () => {
  const { db } = await openTestStorage()
  const held = Promise.withResolvers<void>()
  const writing = db.transaction().execute(async (transaction) => {
    await insertUser(transaction)
    await held.promise
  })
  expect(await db.selectFrom('users').selectAll().execute()).toEqual([])
  held.resolve()
  await writing
  expect(await db.selectFrom('users').selectAll().execute()).toHaveLength(1)
})

test('S42 a database of a newer version is refused and not touched', async () => {
  const databaseUrl = await openTestDatabase()
  const open = () => openPostgresStorage({ databaseUrl, onFatal, limits: noLimits })
  const storage = await open()
  await migrate(storage.db, { ...migrations, '9001-newer': { up: async () => undefined } })
  await storage.close()
  await expect(open()).rejects.toThrow('This version can’t use the database')
})

test('a database that does not answer is told of without its password', async () => {
  const databaseUrl = 'postgres://astro:s3cr3t@127.0.0.1:1/astro'
  const open = openPostgresStorage({ databaseUrl, onFatal, limits: noLimits })
  await expect(open).rejects.toThrow(DatabaseUnreachable)
  await expect(open).rejects.toThrow(/^DATABASE_URL: (?!.*s3cr3t)/)
})

function onFatal(error: Error): never {
  throw error
}
