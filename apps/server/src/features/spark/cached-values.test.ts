import { expect, test, vi } from 'vitest'
import type { EntryId, KeyValuesStore } from './key-values-store.ts'
import { cachedValues } from './cached-values.ts'

const quota = { entries: 10, bytes: 1000 }
const id = (key: string): EntryId => ({ userKey: 1, collection: '', key })
const set = (key: string, value: string) => ({ ...id(key), kind: 'set', value }) as const

/** A store in memory whose reads and writes the test can hold back. */
function setUp(maxBytes?: number) {
  const values = new Map<string, string>()
  let held: Promise<void> | undefined
  let heldWrites: Promise<void> | undefined
  const read = vi.fn<KeyValuesStore['read']>(async (ids) => {
    const found = ids.map(({ key }) => values.get(key) ?? null)
    await held
    return found
  })
  const { store, cachedValue, forgetUsers } = cachedValues(
    {
      listKeys: async () => [...values.keys()],
      listAll: async () => [],
      count: async () => 0,
      read,
      write: async (writes) => {
        await heldWrites
        for (const write of writes) {
          if (write.kind === 'delete') values.delete(write.key)
          else values.set(write.key, write.value)
        }
        // As the change log does, before the caller learns of it.
        forgetUsers(writes.map(({ userKey }) => userKey))
        return writes.map(() => 'done' as const)
      },
    },
    maxBytes,
  )
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    return resolve
  }
  const holdWrites = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    heldWrites = promise
    return resolve
  }
  return { store, read, hold, holdWrites, cachedValue }
}

test('values and absent keys are answered from memory, in the order asked for', async () => {
  const { store, read } = setUp()
  await store.write([set('a', '1'), set('b', '2')], quota)
  expect(await store.read([id('a'), id('gone')])).toEqual(['1', null])
  expect(await store.read([id('gone'), id('b'), id('a')])).toEqual([null, '2', '1'])
  expect(read.mock.calls).toEqual([[[id('a'), id('gone')]], [[id('b')]]])
  expect(await store.read([id('a'), id('b'), id('gone')])).toEqual(['1', '2', null])
  expect(read).toHaveBeenCalledTimes(2)
})

test('every read after a write sees it', async () => {
  const { store } = setUp()
  for (const value of ['1', '2', '3']) {
    await store.write([set('a', value)], quota)
    expect(await store.read([id('a')])).toEqual([value])
  }
  await store.write([{ ...id('a'), kind: 'delete' }], quota)
  expect(await store.read([id('a')])).toEqual([null])
})

test('a read that a write overtook is not cached', async () => {
  const { store, hold } = setUp()
  const release = hold()
  const overtaken = store.read([id('a')])
  await store.write([set('a', 'new')], quota)
  release()
  expect(await overtaken).toEqual([null])
  expect(await store.read([id('a')])).toEqual(['new'])
})

test('a read that begins during a write and ends after it is not cached', async () => {
  const { store, hold, holdWrites } = setUp()
  const [release, releaseWrites] = [hold(), holdWrites()]
  const writing = store.write([set('a', 'new')], quota)
  const overtaken = store.read([id('a')])
  releaseWrites()
  await writing
  release()
  expect(await overtaken).toEqual([null])
  expect(await store.read([id('a')])).toEqual(['new'])
})

test('the cache distinguishes a value, an absent key and an unread key', async () => {
  const { store, cachedValue } = setUp()
  await store.write([set('a', '1')], quota)
  expect(cachedValue(id('a'))).toBeUndefined()
  await store.read([id('a'), id('gone')])
  expect([cachedValue(id('a')), cachedValue(id('gone'))]).toEqual(['1', null])
  expect(cachedValue({ ...id('a'), userKey: 2 })).toBeUndefined()
  expect(cachedValue({ ...id('a'), collection: 'games' })).toBeUndefined()
  await store.write([set('a', '2')], quota)
  expect(cachedValue(id('a'))).toBeUndefined()
})

test('when the cache is full, the least recently read value leaves', async () => {
  const { store, cachedValue } = setUp(500)
  await store.read([id('a')])
  await store.read([id('b')])
  await store.read([id('a')])
  await store.read([id('c')])
  expect(['a', 'b', 'c'].map((key) => cachedValue(id(key)))).toEqual([null, undefined, null])
})

test('a value larger than the cache is not cached, and evicts nothing', async () => {
  const { store, cachedValue } = setUp(1000)
  await store.write([set('large', `"${'x'.repeat(1000)}"`), set('a', '1')], {
    ...quota,
    bytes: 5000,
  })
  await store.read([id('a')])
  await store.read([id('large')])
  expect(cachedValue(id('a'))).toBe('1')
  expect(cachedValue(id('large'))).toBeUndefined()
})
