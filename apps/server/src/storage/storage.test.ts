import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertDevice, insertUser } from '../test/factories.ts'
import { makeTempDir, openTestStorage } from '../test/open-test-storage.ts'
import { ReferenceViolation } from './storage-error.ts'
import type { Database } from './storage.ts'

async function usernames(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('users').select('username').execute()
  return rows.map(({ username }) => username)
}

test('a transaction that throws leaves none of its writes', async () => {
  const { db } = await openTestStorage()
  const failing = db.transaction().execute(async (transaction) => {
    await sql`insert into outages values (1, 2)`.execute(transaction)
    await sql`insert into alive_mark values (1, 2)`.execute(transaction)
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await db.selectFrom('outages').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('alive_mark').selectAll().execute()).toEqual([])
})

test('a failed statement rolls its whole transaction back', async () => {
  const { db } = await openTestStorage()
  const failing = db.transaction().execute(async (transaction) => {
    await sql`insert into outages values (1, 2)`.execute(transaction)
    await sql`insert into outages values (1, 3)`.execute(transaction)
  })
  await expect(failing).rejects.toThrow(/unique/i)
  expect(await db.selectFrom('outages').selectAll().execute()).toEqual([])
  await insertUser(db)
  expect(await usernames(db)).toHaveLength(1)
})

test('a query from outside waits for the transaction and sees all of it or nothing', async () => {
  const { db } = await openTestStorage()
  const transaction = db.transaction().execute(async (inside) => {
    await sql`insert into outages values (1, 2)`.execute(inside)
    await sql`insert into outages values (3, 4)`.execute(inside)
  })
  const counted = db.selectFrom('outages').selectAll().execute()
  await transaction
  expect([0, 2]).toContain((await counted).length)
})

test.each([{ value: 1 }, [{}], new Date(0), undefined, Symbol('value')])(
  'a value that the database would misread is refused: %s',
  async (value) => {
    const { db } = await openTestStorage()
    await expect(sql`select ${value} as value`.execute(db)).rejects.toThrow(TypeError)
    expect((await sql`select 7 as value`.execute(db)).rows).toMatchObject([{ value: 7 }])
  },
)

test('a long read sees earlier writes and can’t write', async () => {
  const { db, longReads } = await openTestStorage()
  await insertUser(db)
  expect(await usernames(longReads)).toHaveLength(1)
  const { rows } = await sql`select count(*) as count from users`.execute(longReads)
  expect(rows).toEqual([{ count: 1 }])
  const refusal = /readonly|reads alone/
  await expect(longReads.deleteFrom('users').execute()).rejects.toThrow(refusal)
  await expect(sql`delete from users`.execute(longReads)).rejects.toThrow(refusal)
  const inTransaction = longReads.transaction().execute((inside) => insertUser(inside))
  await expect(inTransaction).rejects.toThrow(refusal)
  expect(await usernames(db)).toHaveLength(1)
})

test('deleting a user deletes its devices: foreign keys cascade', async () => {
  const { db } = await openTestStorage()
  const userKey = await insertUser(db)
  await insertDevice(db, userKey)
  await db.deleteFrom('users').where('key', '=', userKey).execute()
  expect(await db.selectFrom('devices').selectAll().execute()).toEqual([])
})

test('a row without its user is refused', async () => {
  const { db } = await openTestStorage()
  await expect(insertDevice(db, 404)).rejects.toThrow(ReferenceViolation)
})

test('keys are never reused, which presence relies on', async () => {
  const { db } = await openTestStorage()
  const first = await insertDevice(db)
  await db.deleteFrom('devices').execute()
  expect(await insertDevice(db)).toBeGreaterThan(first)
})

test('written data is there after closing and opening again', async () => {
  const dataDir = await makeTempDir()
  const storage = await openTestStorage(dataDir)
  await insertUser(storage.db)
  const before = await usernames(storage.db)
  await storage.close()
  const { db } = await openTestStorage(dataDir)
  expect(await usernames(db)).toEqual(before)
})

test('a ping says whether the storage answers', async () => {
  const storage = await openTestStorage()
  await storage.ping()
  await storage.close()
  await expect(storage.ping()).rejects.toThrow(/destroyed|closed/)
})
