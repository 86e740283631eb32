import { expect, test } from 'vitest'
import { ChangeReader } from './change-reader.ts'
import type { WriterState } from './cluster-store.ts'
import type { Change } from './cluster.ts'

const self = 1
const other = 2

function writer(key: number, number: number): WriterState {
  const silence = { silent_from_ms: null, silent_to_ms: null }
  return { writer: key, number, alive_ms: 0, is_running: true, ...silence }
}

function changeOf(number: number): Change {
  const nothing = { deviceKeys: new Uint8Array(), details: undefined }
  return { ...nothing, writer: other, number, atMs: number, topic: 'users', keys: [number] }
}

function setUp(stored: readonly number[]) {
  const published: number[] = []
  const reader = new ChangeReader({
    writer: self,
    // An own write is under way, so changes are not published again yet.
    turns: () => ({ begun: 1, ended: 0 }),
    store: {
      readChanges: async (cursors) =>
        stored.filter((number) => number > (cursors.get(other) ?? 0)).map(changeOf),
    },
    cursors: new Map([[other, 1]]),
  })
  reader.subscribe('users', ({ keys }) => void published.push(...keys))
  const read = (number: number) => {
    const state = { writers: [writer(self, 0), writer(other, number)], feedNumber: 0, nowMs: 0 }
    return reader.read(state, reader.begin())
  }
  return { reader, published, read }
}

test('changes by another server are read once, in their order', async () => {
  const { reader, published, read } = setUp([2, 3])
  for (let times = 0; times < 2; times += 1) expect(await read(3)).toBe(true)
  expect(published).toEqual([2, 3])
  expect(reader.cursors.get(other)).toBe(3)
})

test('changes that were deleted unread are noticed, and what came after them is not published', async () => {
  const { reader, published, read } = setUp([3, 4])
  expect(await read(4)).toBe(false)
  expect(published).toEqual([])
  expect(reader.cursors.get(other)).toBe(1)
})
