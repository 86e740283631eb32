import { expect, test, vi } from 'vitest'
import type { EntryPlace, KeyValuesStore } from './key-values-store.ts'
import { rememberValues } from './remember-values.ts'

const quota = { entries: 10, bytes: 1000 }
const place = (key: string): EntryPlace => ({ userKey: 1, collection: '', key })
const set = (key: string, value: string) => ({ ...place(key), kind: 'set', value }) as const

/** A store in memory whose reads the test can hold back. */
function setUp(options?: { maxBytes: number }) {
  const values = new Map<string, string>()
  let held: Promise<void> | undefined
  const read = vi.fn<KeyValuesStore['read']>(async (places) => {
    const found = places.map(({ key }) => values.get(key) ?? null)
    await held
    return found
  })
  const store = rememberValues(
    {
      listKeys: async () => [...values.keys()],
      read,
      write: async (writes) =>
        writes.map((write) => {
          if (write.kind === 'delete') values.delete(write.key)
          else values.set(write.key, write.value)
          return 'done'
        }),
    },
    options,
  )
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    return resolve
  }
  return { store, read, hold }
}

test('what was read is answered from memory, absent keys too, in the order asked for', async () => {
  const { store, read } = setUp()
  await store.write([set('a', '1'), set('b', '2')], quota)
  expect(await store.read([place('a'), place('gone')])).toEqual(['1', null])
  expect(await store.read([place('gone'), place('b'), place('a')])).toEqual([null, '2', '1'])
  expect(read.mock.calls).toEqual([[[place('a'), place('gone')]], [[place('b')]]])
  expect(await store.read([place('a'), place('b'), place('gone')])).toEqual(['1', '2', null])
  expect(read).toHaveBeenCalledTimes(2)
})

test('a write is seen by every read after it', async () => {
  const { store } = setUp()
  for (const value of ['1', '2', '3']) {
    await store.write([set('a', value)], quota)
    expect(await store.read([place('a')])).toEqual([value])
  }
  await store.write([{ ...place('a'), kind: 'delete' }], quota)
  expect(await store.read([place('a')])).toEqual([null])
})

test('a read that a write overtook is not remembered', async () => {
  const { store, hold } = setUp()
  const release = hold()
  const overtaken = store.read([place('a')])
  await store.write([set('a', 'new')], quota)
  release()
  expect(await overtaken).toEqual([null])
  expect(await store.read([place('a')])).toEqual(['new'])
})

test('when the memory is full, what was remembered first goes', async () => {
  const { store, read } = setUp({ maxBytes: 500 })
  for (const key of ['a', 'b', 'c']) await store.read([place(key)])
  read.mockClear()
  await store.read([place('c')])
  expect(read).not.toHaveBeenCalled()
  await store.read([place('a')])
  expect(read).toHaveBeenCalledOnce()
})
