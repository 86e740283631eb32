import { expect, test } from 'vitest'
import { UnwrittenTimes, type RowTimes } from './unwritten-times.ts'

function setUp() {
  const writes: RowTimes[] = []
  const failures: Error[] = []
  const writing: PromiseWithResolvers<void>[] = []
  const write = async (batch: RowTimes) => {
    writes.push(batch)
    await writing.shift()?.promise
    const failure = failures.shift()
    if (failure !== undefined) throw failure
  }
  const times = new UnwrittenTimes()
  const flush = (signal?: AbortSignal) =>
    times.flush({ write, size: 100, rest: () => Promise.resolve(), signal })
  return { writes, failures, writing, write, times, flush }
}

test('the last time of each row is written once and then forgotten', async () => {
  const { writes, times, flush } = setUp()
  times.record(1, 1000)
  times.record(2, 1000)
  times.record(1, 1005)
  expect(times.atMs(1)).toBe(1005)
  await flush()
  expect(writes).toEqual([{ keys: [1, 2], atMs: [1005, 1000] }])
  expect(times.atMs(1)).toBeUndefined()
})

test('without a new time nothing is written', async () => {
  const { writes, times, flush } = setUp()
  await flush()
  times.record(1, 1000)
  await flush()
  await flush()
  expect(writes).toHaveLength(1)
})

test('a time that arrives during a write waits for the next one', async () => {
  const { writes, writing, times, flush } = setUp()
  const write = Promise.withResolvers<void>()
  writing.push(write)
  times.record(1, 1000)
  times.record(2, 1000)
  const flushed = flush()
  times.record(1, 1005)
  write.resolve()
  await flushed
  expect(times.atMs(1)).toBe(1005)
  expect(times.atMs(2)).toBeUndefined()
  await flush()
  expect(writes[1]).toEqual({ keys: [1], atMs: [1005] })
})

test('times that could not be written are written later', async () => {
  const { writes, failures, times, flush } = setUp()
  failures.push(new Error('disk full'))
  times.record(1, 1000)
  await expect(flush()).rejects.toThrow('disk full')
  expect(times.atMs(1)).toBe(1000)
  await flush()
  expect(writes[1]).toEqual({ keys: [1], atMs: [1000] })
})

test('many times are written in steps, in the order of their rows', async () => {
  const { writes, times, flush } = setUp()
  for (let key = 250; key > 0; key -= 1) times.record(key, 1000)
  await flush()
  expect(writes.map(({ keys }) => keys.length)).toEqual([100, 100, 50])
  const written = writes.flatMap(({ keys }) => keys)
  expect(written).toEqual(Array.from({ length: 250 }, (_, i) => i + 1))
  await flush()
  expect(writes).toHaveLength(3)
})

test('a large step takes all times at once', async () => {
  const { writes, write, times } = setUp()
  for (let key = 1; key <= 250; key += 1) times.record(key, 1000)
  await times.flush({ write, size: 1000 })
  expect(writes.map(({ keys }) => keys.length)).toEqual([250])
})

test('an aborted flush leaves the rest to the next one', async () => {
  const { writes, write, times, flush } = setUp()
  for (let key = 1; key <= 250; key += 1) times.record(key, 1000)
  await flush(AbortSignal.abort())
  await times.flush({ write, size: 1000 })
  expect(writes.map(({ keys }) => keys.length)).toEqual([100, 150])
})
