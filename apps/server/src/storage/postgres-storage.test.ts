import { sql, type Kysely } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { registerTestDevice } from '../test/api-devices.ts'
import { createTestApp } from '../test/create-test-app.ts'
import { insertDevice, insertUser } from '../test/factories.ts'
import { noLimits, openTestDatabase, openTestStorage } from '../test/open-test-storage.ts'
import { createDatabase, dropDatabase, runStatement } from '../test/test-databases.ts'
import { migrate, migrations } from './migrations.ts'
import { migratePostgres, openPostgresStorage } from './postgres-storage.ts'
import { DatabaseUnreachable, TextUnstorable, UniqueViolation } from './storage-error.ts'

test('S40 a text with NUL is refused, also in a list, and not stored', async () => {
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

test('S40 a call with NUL in any text is refused as malformed or not found', async () => {
  const { inject: send, signUp } = await createTestApp()
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
  const signIn = await send({ method: 'POST', url: '/api/auth/password-login', payload })
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

test('a duplicate of a unique key is a UniqueViolation', async () => {
  const { db } = await openTestStorage()
  await sql`insert into outages values (1, 2)`.execute(db)
  const again = sql`insert into outages values (1, 3)`.execute(db)
  await expect(again).rejects.toThrow(UniqueViolation)
})

test('two writes resolve in the order of their calls', async () => {
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

test('reads go on during a slow write', async () => {
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

test('a long read in any form waits for no write', async () => {
  const { db, longReads } = await openTestStorage()
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const writing = db.transaction().execute(async (transaction) => {
    await insertUser(transaction)
    begun.resolve()
    await held.promise
  })
  await begun.promise
  const written = sql`with known as (select key from users) select * from known`
  expect(await longReads.selectFrom('users').select('key').execute()).toEqual([])
  expect((await sql`select key from users`.execute(longReads)).rows).toEqual([])
  expect((await written.execute(longReads)).rows).toEqual([])
  held.resolve()
  await writing
  expect((await written.execute(longReads)).rows).toHaveLength(1)
})

test.each([
  { way: 'on its own connection', parameters: '' },
  { way: 'behind a pooler', parameters: '?options=' },
])('no statement is compiled by JIT, $way', async ({ parameters }) => {
  const databaseUrl = `${await openTestDatabase()}${parameters}`
  const { db, close } = await openPostgresStorage({ databaseUrl, onFatal, limits: noLimits })
  onTestFinished(close)
  const off = { rows: [{ jit: 'off' }] }
  expect(await sql`show jit`.execute(db)).toMatchObject(off)
  const writing = db.transaction().execute((transaction) => sql`show jit`.execute(transaction))
  expect(await writing).toMatchObject(off)
})

test('behind a pooler, which keeps no settings, each transaction and statement has its limits', async () => {
  const databaseUrl = await openTestDatabase()
  const ofDatabase = `alter database ${new URL(databaseUrl).pathname.slice(1)}`
  await runStatement(databaseUrl, `${ofDatabase} set synchronous_commit = off`)
  const limits = { ...noLimits, statementMs: 300 }
  // Options in the address replace the server's own, so it has none, as behind a pooler.
  const withoutOptions = `${databaseUrl}?options=`
  const storage = await openPostgresStorage({ databaseUrl: withoutOptions, onFatal, limits })
  onTestFinished(async () => {
    await storage.close()
    await runStatement(databaseUrl, `${ofDatabase} reset synchronous_commit`)
  })
  const { db } = storage
  const read = () => db.selectNoFrom(sql`pg_sleep(10)`.as('slept')).execute()
  await expect(read()).rejects.toThrow(/statement timeout/)
  await expect(sql`select pg_sleep(10)`.execute(db)).rejects.toThrow(/statement timeout/)
  const writing = db.transaction().execute(async (transaction) => {
    const { rows } = await sql`show synchronous_commit`.execute(transaction)
    expect(rows).toEqual([{ synchronous_commit: 'on' }])
    await sql`select pg_sleep(10)`.execute(transaction)
  })
  await expect(writing).rejects.toThrow(/statement timeout/)
  await insertUser(db)
  expect(await db.selectFrom('users').select('key').execute()).toHaveLength(1)
})

async function openEmptyDatabase(): Promise<string> {
  const { serverUrl } = inject('testPostgres') ?? { serverUrl: '' }
  const databaseUrl = await createDatabase(serverUrl)
  onTestFinished(() => dropDatabase(serverUrl, databaseUrl))
  return databaseUrl
}

test('servers that start at once on an empty database migrate it once', async () => {
  const databaseUrl = await openEmptyDatabase()
  const open = () => openPostgresStorage({ databaseUrl, onFatal, limits: noLimits })
  const storages = await Promise.all([open(), open(), open()])
  expect(new Set(storages.map(({ instance }) => instance.writer)).size).toBe(3)
  await Promise.all(storages.map((storage) => storage.close()))
})

test('a migration has no time limit, whatever the database’s settings', async () => {
  const databaseUrl = await openEmptyDatabase()
  const name = new URL(databaseUrl).pathname.slice(1)
  await runStatement(databaseUrl, `alter database ${name} set statement_timeout = 200`)
  const slow = {
    up: async (db: Kysely<unknown>) => void (await sql`select pg_sleep(0.4)`.execute(db)),
  }
  await expect(migratePostgres(databaseUrl, { '0001-slow': slow })).resolves.toBeUndefined()
})

test('S42 a database of a newer version is refused and not touched', async () => {
  const databaseUrl = await openTestDatabase()
  const open = () => openPostgresStorage({ databaseUrl, onFatal, limits: noLimits })
  const storage = await open()
  await migrate(storage.db, { ...migrations, '9001-newer': { up: async () => undefined } })
  await storage.close()
  await expect(open()).rejects.toThrow('The database is of a newer version of Astropelago (9001-')
})

test('the message about a database that does not answer has no password', async () => {
  const databaseUrl = 'postgres://astro:s3cr3t@127.0.0.1:1/astro'
  const open = openPostgresStorage({ databaseUrl, onFatal, limits: noLimits })
  await expect(open).rejects.toThrow(DatabaseUnreachable)
  await expect(open).rejects.toThrow(/^DATABASE_URL: (?!.*s3cr3t)/)
})

function onFatal(error: Error): never {
  throw error
}
