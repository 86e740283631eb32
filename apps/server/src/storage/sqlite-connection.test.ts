import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { SQLInputValue } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
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

test('S41 after a write that is not synced, done or failed, each commit is synced again', async () => {
  const connection = await open()
  await connection.execute('create table kept (value unique)', [])
  const insert = { sql: 'insert into kept values (1)', parameters: [] }
  const isUnsynced = true
  await connection.transaction([insert], { isUnsynced })
  await expect(connection.transaction([insert], { isUnsynced })).rejects.toThrow(UniqueViolation)
  const { rows } = await connection.execute('pragma synchronous', [])
  expect(rows).toEqual([{ synchronous: 2 }])
  expect((await connection.execute('select count(*) as count from kept', [])).rows).toEqual([
    { count: 1 },
  ])
})

test('S39 a failure says which statement failed, and no value of it', async () => {
  const connection = await open()
  const read = { sql: 'select 1', parameters: [] }
  const write = { sql: 'insert into nowhere values (?)', parameters: ['a secret'] }
  for (const failing of [
    connection.execute(write.sql, write.parameters),
    connection.transaction([read, write]),
  ]) {
    const error: unknown = await failing.catch((failure: unknown) => failure)
    expect(inspect(error)).toContain(write.sql)
    expect(inspect(error)).not.toContain('secret')
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

test('S40 an integer that does not fit into a number is refused, never rounded', async () => {
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

test('a wrong statement fails alone and leaves the connection usable', async () => {
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

test('S44 on a full disk writes are StorageUnavailable, data stays, and service returns', async () => {
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

test('closing does what was asked before, and leaves a single file', async () => {
  const folder = await makeTempDir()
  const path = join(folder, 'test.sqlite')
  const connection = await open(path)
  await connection.execute('create table kept (value)', [])
  const none = new Uint8Array()
  const writes = Promise.all([
    connection.write({ sql: 'insert into kept values (?1 + length(?2))', number: 1, bytes: none }),
    connection.transaction([{ sql: 'insert into kept values (2)', parameters: [] }]),
  ])
  await connection.close()
  await writes
  expect(await readdir(folder)).toEqual(['test.sqlite'])
  const { rows } = await (await open(path)).execute('select value from kept order by value', [])
  expect(rows).toEqual([{ value: 1 }, { value: 2 }])
})

test('after close every call is StorageUnavailable, and closing again is no error', async () => {
  const connection = await open()
  await connection.close()
  await expect(connection.execute('select 1', [])).rejects.toThrow(StorageUnavailable)
  await connection.close()
})

test('closing amid a transaction fails, and ends the worker all the same', async () => {
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

/** Blocks this thread until SQLite's has answered everything, before any answer is received. */
function sleepMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

async function openKept() {
  const connection = await open()
  await connection.execute('create table kept (number unique, bytes)', [])
  const kept = async () => {
    const { rows } = await connection.execute('select number from kept order by rowid', [])
    return rows.map((row) => row['number'])
  }
  return { connection, kept }
}

describe('writes beside the transactions of others', () => {
  const insert = 'insert into kept values (?, ?)'
  const none = new Uint8Array(0)
  const write = (number: number) => ({ sql: insert, number, bytes: none })
  const statement = (number: number) => ({ sql: insert, parameters: [number, none] })

  test.each([0, 200_000, 2_000_000])(
    'a write and its %i bytes are there when it resolves',
    async (length) => {
      const { connection } = await openKept()
      const bytes = Uint8Array.from({ length }, (_, i) => i % 251)
      await connection.write({ sql: insert, number: 0.5, bytes })
      const { rows } = await connection.execute('select * from kept', [])
      expect(rows).toEqual([{ number: 0.5, bytes }])
    },
  )

  test('many at once are all written', async () => {
    const { connection, kept } = await openKept()
    await Promise.all([1, 2, 3].map((number) => connection.write(write(number))))
    expect(new Set(await kept())).toEqual(new Set([1, 2, 3]))
  })

  test('writes one after the other stay in order, and go on after the thread has slept', async () => {
    const { connection, kept } = await openKept()
    for (const number of [1, 2, 3]) {
      await connection.write(write(number))
      await wait(5)
    }
    expect(await kept()).toEqual([1, 2, 3])
  })

  test('a reader learns of a write after its writer', async () => {
    const { connection } = await openKept()
    const told: string[] = []
    const tell = async (word: string, what: Promise<unknown>) => {
      await what
      told.push(word)
    }
    // From here, the event loop receives messages before it runs what is due in its next turn.
    await nextTurn()
    const written = tell('written', connection.write(write(1)))
    const read = tell('read', connection.execute('select number from kept', []))
    sleepMs(100)
    await Promise.all([written, read])
    expect(told).toEqual(['written', 'read'])
  })

  test('no write becomes part of a transaction of single statements, however that ends', async () => {
    const { connection, kept } = await openKept()
    for (const [end, number] of [
      ['rollback', 1],
      ['commit', 2],
    ] as const) {
      await connection.execute('begin immediate', [])
      const meanwhile = Promise.all([
        connection.write(write(number * 10)),
        connection.transaction([statement(number * 100)]),
        connection.write(write(number * 1000)),
      ])
      await connection.execute(insert, [number, none])
      expect(await kept()).not.toContain(number * 100)
      await connection.execute(end, [])
      await meanwhile
    }
    expect(new Set(await kept())).toEqual(new Set([2, 10, 20, 100, 200, 1000, 2000]))
  })

  test('a transaction is done completely or not at all', async () => {
    const { connection, kept } = await openKept()
    await connection.transaction([statement(1), statement(2)])
    const broken = connection.transaction([statement(3), statement(1), statement(4)])
    await expect(broken).rejects.toThrow(UniqueViolation)
    await connection.transaction([statement(5)])
    expect(await kept()).toEqual([1, 2, 5])
  })

  test('a write that SQLite refuses fails its caller alone, with the same errors', async () => {
    const { connection, kept } = await openKept()
    await connection.write(write(1))
    await expect(connection.write(write(1))).rejects.toThrow(UniqueViolation)
    const unknown = { ...write(1), sql: 'insert into nowhere values (?, ?)' }
    await expect(connection.write(unknown)).rejects.toThrow(/no such table/)
    await connection.write(write(2))
    expect(await kept()).toEqual([1, 2])
  })

  test('S44 on a full disk both are StorageUnavailable until there is room', async () => {
    const { connection, kept } = await openKept()
    const { rows } = await connection.execute('pragma page_count', [])
    await connection.execute(`pragma max_page_count = ${String(rows[0]?.['page_count'])}`, [])
    const bytes = new Uint8Array(100_000)
    const large = { sql: insert, number: 1, bytes }
    await expect(connection.write(large)).rejects.toThrow(StorageUnavailable)
    const transaction = [statement(2), { sql: insert, parameters: [3, bytes] }]
    await expect(connection.transaction(transaction)).rejects.toThrow(StorageUnavailable)
    await connection.execute('pragma max_page_count = 100000', [])
    await connection.write(large)
    expect(await kept()).toEqual([1])
  })

  test('writes under way when the thread ends fail, and so do later ones', async () => {
    const { connection } = await openKept()
    await connection.execute('begin immediate', [])
    const underWay = Promise.allSettled([
      connection.write(write(1)),
      connection.transaction([statement(2)]),
    ])
    await expect(connection.close()).rejects.toThrow(StorageUnavailable)
    for (const outcome of await underWay) {
      expect(outcome).toMatchObject({ reason: expect.any(StorageUnavailable) })
    }
    await expect(connection.write(write(3))).rejects.toThrow(StorageUnavailable)
    await expect(connection.transaction([])).rejects.toThrow(StorageUnavailable)
  })
})
