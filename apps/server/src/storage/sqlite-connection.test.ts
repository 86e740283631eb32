import { join } from 'node:path'
import type { SQLInputValue } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { makeTempDir } from '../test/open-test-storage.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { StorageUnavailable, UniqueViolation } from './storage-error.ts'

async function open(path?: string): Promise<SqliteConnection> {
  const connection = await SqliteConnection.open(
    path ?? join(await makeTempDir(), 'test.sqlite'),
    (error) => {
      throw error
    },
  )
  onTestFinished(() => connection.close())
  return connection
}

async function roundTrip(value: SQLInputValue): Promise<unknown> {
  const connection = await open()
  await connection.execute('create table kept (value)', [])
  await connection.execute('insert into kept values (?)', [value])
  const { rows } = await connection.execute('select value from kept', [])
  return rows[0]?.['value']
}

test('S41 every connection has a write-ahead log, syncs each commit, and heeds foreign keys', async () => {
  const path = join(await makeTempDir(), 'test.sqlite')
  for (const connection of [await open(path), await open(path)]) {
    const pragma = async (name: string) =>
      (await connection.execute(`pragma ${name}`, [])).rows[0]?.[name]
    expect(await pragma('journal_mode')).toBe('wal')
    expect(await pragma('synchronous')).toBe(2)
    expect(await pragma('foreign_keys')).toBe(1)
  }
})

test.each([
  ['NUL', 'a\0b'],
  ['an emoji of several code points', '👩‍🚀🛰️'],
  ['text that is not NFC', 'e\u0301'],
  ['quotes and SQL', `'; drop table kept; --"`],
  ['a milliseconds time', Date.UTC(2286, 10, 20)],
  ['the largest safe integer', Number.MAX_SAFE_INTEGER],
  ['a fraction', -0.1],
  ['bytes, NUL included', new Uint8Array([0, 255, 0])],
  ['null', null],
  ['empty text', ''],
])('S40 %s comes back as it went in', async (_, value) => {
  expect(await roundTrip(value)).toEqual(value)
})

test('S40 an integer that a number can’t hold is refused, never rounded, and harms nothing', async () => {
  const connection = await open()
  await connection.execute('create table kept (value)', [])
  await connection.execute('insert into kept values (?)', [2n ** 60n + 1n])
  await expect(connection.execute('select value from kept', [])).rejects.toThrow(/too large/)
  const { rows } = await connection.execute('select cast(value as text) as text from kept', [])
  expect(rows).toMatchObject([{ text: String(2n ** 60n + 1n) }])
})

test('statements run in the order of the calls', async () => {
  const connection = await open()
  const results = await Promise.all([
    connection.execute('create table kept (value)', []),
    connection.execute('insert into kept values (1), (2)', []),
    connection.execute('update kept set value = value + 1', []),
    connection.execute('select value from kept order by value', []),
  ])
  expect(results.map(({ changes }) => changes)).toEqual([0, 2, 2, 0])
  expect(results[3].rows).toMatchObject([{ value: 2 }, { value: 3 }])
})

test('a statement that is wrong fails alone and leaves the connection usable', async () => {
  const connection = await open()
  const results = await Promise.allSettled([
    connection.execute('select nothing from nowhere', []),
    connection.execute('not even SQL', []),
    connection.execute('select ?', [1, 2, 3]),
    connection.execute('select 1 as one', []),
  ])
  expect(results.map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
    'rejected',
    'fulfilled',
  ])
})

test.each([
  ['a unique column', 'unique'],
  ['a primary key', 'primary key'],
])('a second row with the same value in %s is a UniqueViolation', async (_, constraint) => {
  const connection = await open()
  await connection.execute(`create table kept (value text ${constraint})`, [])
  await connection.execute('insert into kept values (?)', ['a\0b'])
  await connection.execute('insert into kept values (?)', ['a\0c'])
  await expect(connection.execute('insert into kept values (?)', ['a\0b'])).rejects.toThrow(
    UniqueViolation,
  )
})

test('other broken constraints are neither a UniqueViolation nor StorageUnavailable', async () => {
  const connection = await open()
  await connection.execute('create table kept (value check (value > 0) not null)', [])
  for (const value of [0, null]) {
    const failure = await connection
      .execute('insert into kept values (?)', [value])
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(UniqueViolation)
    expect(failure).not.toBeInstanceOf(StorageUnavailable)
  }
})

test('S44 a full disk is StorageUnavailable, keeps what was there, and passes', async () => {
  const connection = await open()
  await connection.execute('create table kept (value)', [])
  await connection.execute('insert into kept values (1)', [])
  const { rows } = await connection.execute('pragma page_count', [])
  await connection.execute(`pragma max_page_count = ${String(rows[0]?.['page_count'])}`, [])
  const insert = () => connection.execute('insert into kept values (zeroblob(100000))', [])
  await expect(insert()).rejects.toThrow(StorageUnavailable)
  await expect(insert()).rejects.toThrow(StorageUnavailable)
  await connection.execute('pragma max_page_count = 100000', [])
  expect(await insert()).toMatchObject({ changes: 1 })
  expect((await connection.execute('select count(*) as count from kept', [])).rows).toMatchObject([
    { count: 2 },
  ])
})

test('S44 a database that another process writes to for too long is StorageUnavailable', async () => {
  const path = join(await makeTempDir(), 'test.sqlite')
  const [first, second] = [await open(path), await open(path)]
  await second.execute('pragma busy_timeout = 1', [])
  await first.execute('begin immediate', [])
  await expect(second.execute('begin immediate', [])).rejects.toThrow(StorageUnavailable)
  await first.execute('rollback', [])
  await second.execute('begin immediate', [])
  await second.execute('rollback', [])
})

test('after close every call is StorageUnavailable, and closing again is no error', async () => {
  const connection = await open()
  await connection.close()
  await expect(connection.execute('select 1', [])).rejects.toThrow(StorageUnavailable)
  await connection.close()
})

test('closing amid a transaction says that it failed, and ends the worker all the same', async () => {
  const path = join(await makeTempDir(), 'test.sqlite')
  const connection = await open(path)
  await connection.execute('create table kept (value)', [])
  await connection.execute('begin immediate', [])
  await connection.execute('insert into kept values (1)', [])
  await expect(connection.close()).rejects.toThrow(StorageUnavailable)
  const next = await open(path)
  await next.execute('begin immediate', [])
  expect((await next.execute('select value from kept', [])).rows).toEqual([])
  await next.execute('rollback', [])
})

test('a file that is no database fails to open', async () => {
  await expect(open(await makeTempDir())).rejects.toThrow(/unable to open/)
})
