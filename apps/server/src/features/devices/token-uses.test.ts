import { expect, test } from 'vitest'
import { movableClock } from '../../test/movable-clock.ts'
import type { RowTimes } from '../../unwritten-times.ts'
import { createTokenUses } from './token-uses.ts'

function setUp() {
  const clock = movableClock(1000)
  const writes: RowTimes[] = []
  const failures: Error[] = []
  const writing: PromiseWithResolvers<void>[] = []
  const write = async (batch: RowTimes) => {
    writes.push(batch)
    await writing.shift()?.promise
    const failure = failures.shift()
    if (failure !== undefined) throw failure
  }
  const uses = createTokenUses({ clock: clock.now, write, rest: () => Promise.resolve() })
  return { clock, writes, failures, writing, uses }
}

test('the last use of each token is written once and then forgotten', async () => {
  const { clock, writes, uses } = setUp()
  uses.record(1)
  uses.record(2)
  clock.move(5)
  uses.record(1)
  expect(uses.lastUsedMs(1)).toBe(1005)
  await uses.flush()
  expect(writes).toEqual([{ keys: [1, 2], atMs: [1005, 1000] }])
  expect(uses.lastUsedMs(1)).toBeUndefined()
})

test('without a use nothing is written', async () => {
  const { writes, uses } = setUp()
  await uses.flush()
  uses.record(1)
  await uses.flush()
  await uses.flush()
  expect(writes).toHaveLength(1)
})

test('a use during a write waits for the next one', async () => {
  const { clock, writes, writing, uses } = setUp()
  const write = Promise.withResolvers<void>()
  writing.push(write)
  uses.record(1)
  uses.record(2)
  const flush = uses.flush()
  clock.move(5)
  uses.record(1)
  write.resolve()
  await flush
  expect(uses.lastUsedMs(1)).toBe(1005)
  expect(uses.lastUsedMs(2)).toBeUndefined()
  await uses.flush()
  expect(writes[1]).toEqual({ keys: [1], atMs: [1005] })
})

test('uses that could not be written are written later', async () => {
  const { writes, failures, uses } = setUp()
  failures.push(new Error('disk full'))
  uses.record(1)
  await expect(uses.flush()).rejects.toThrow('disk full')
  expect(uses.lastUsedMs(1)).toBe(1000)
  await uses.flush()
  expect(writes[1]).toEqual({ keys: [1], atMs: [1000] })
})

test('many uses are written in steps, in the order of their tokens', async () => {
  const { writes, uses } = setUp()
  for (let tokenKey = 250; tokenKey > 0; tokenKey -= 1) uses.record(tokenKey)
  await uses.flush()
  expect(writes.map(({ keys }) => keys.length)).toEqual([100, 100, 50])
  const written = writes.flatMap(({ keys }) => keys)
  expect(written).toEqual(Array.from({ length: 250 }, (_, i) => i + 1))
  await uses.flush()
  expect(writes).toHaveLength(3)
})

test('the last write takes all uses at once', async () => {
  const { writes, uses } = setUp()
  for (let tokenKey = 1; tokenKey <= 250; tokenKey += 1) uses.record(tokenKey)
  await uses.stop()
  expect(writes.map(({ keys }) => keys.length)).toEqual([250])
})

test('an aborted flush leaves the rest to the last write', async () => {
  const { writes, uses } = setUp()
  for (let tokenKey = 1; tokenKey <= 250; tokenKey += 1) uses.record(tokenKey)
  await uses.flush(AbortSignal.abort())
  await uses.stop()
  expect(writes.map(({ keys }) => keys.length)).toEqual([100, 150])
})
