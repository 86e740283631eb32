import { expect, test } from 'vitest'
import { insertUser } from '../test/factories.ts'
import { isOnPostgres, openTestStorage } from '../test/open-test-storage.ts'
import type { ChangeTopic } from './schema.ts'

async function setUp() {
  const { db, changes } = await openTestStorage()
  const userKey = await insertUser(db)
  const received: [topic: ChangeTopic, keys: readonly number[]][] = []
  for (const topic of ['users', 'values'] as const) {
    changes.subscribe(topic, ({ keys }) => void received.push([topic, keys]))
  }
  const rename = (name: string) =>
    db.updateTable('users').set({ name }).where('key', '=', userKey).execute()
  const readName = async () => {
    const user = await db.selectFrom('users').select('name').executeTakeFirstOrThrow()
    return user.name
  }
  return { db, changes, userKey, received, rename, readName }
}

test('recorded changes are published in their order, after the commit and before the caller goes on', async () => {
  const { changes, userKey, received, readName } = await setUp()
  const seen: unknown[] = []
  changes.subscribe('users', async () => {
    seen.push(await readName())
  })
  const result = await changes.write(async (transaction, record) => {
    record('values', [userKey, 7])
    record('users', [userKey])
    record('users', [])
    await transaction.updateTable('users').set({ name: 'Nova' }).execute()
    expect(received).toEqual([])
    return 'done'
  })
  expect(result).toBe('done')
  expect(seen).toEqual(['Nova'])
  expect(received).toEqual([
    ['values', [userKey, 7]],
    ['users', [userKey]],
  ])
})

test('a failed transaction changes nothing, and copies are dropped all the same', async () => {
  const { changes, userKey, received, readName } = await setUp()
  const failing = changes.write(async (transaction, record) => {
    record('users', [userKey])
    await transaction.updateTable('users').set({ name: 'Nova' }).execute()
    throw new Error('not this one')
  })
  await expect(failing).rejects.toThrow('not this one')
  expect(await readName()).toBeNull()
  expect(received).toEqual([['users', [userKey]]])
})

test('a failing subscriber does not keep changes from the others, and its error reaches the caller', async () => {
  const { changes, userKey, received, readName } = await setUp()
  changes.subscribe('devices', () => {
    throw new Error('away')
  })
  const writing = changes.write(async (transaction, record) => {
    record('devices', [1])
    record('users', [userKey])
    await transaction.updateTable('users').set({ name: 'Nova' }).execute()
  })
  await expect(writing).rejects.toThrow('away')
  expect(received).toEqual([['users', [userKey]]])
  expect(await readName()).toBe('Nova')
})

test.runIf(isOnPostgres())(
  'other servers find changes in the order of their numbers, without those that failed',
  async () => {
    const { db, changes, userKey } = await setUp()
    const before = await db.selectFrom('changes').select('number').execute()
    await changes.write(async (_, record) => {
      record('users', [userKey])
      record('values', [3, 4])
    })
    await changes
      .write(async (_, record) => {
        record('users', [5])
        throw new Error('not this one')
      })
      .catch(() => undefined)
    await changes.write(async (_, record) => record('users', [6]))
    const stored = await db
      .selectFrom('changes')
      .select(['number', 'topic', 'keys'])
      .orderBy('number')
      .execute()
    const added = stored.slice(before.length)
    const first = added[0]?.number ?? 0
    expect(added).toEqual([
      { number: first, topic: 'users', keys: [userKey] },
      { number: first + 1, topic: 'values', keys: [3, 4] },
      { number: first + 2, topic: 'users', keys: [6] },
    ])
  },
)
