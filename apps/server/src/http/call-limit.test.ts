import { expect, test } from 'vitest'
import { movableClock } from '../test/movable-clock.ts'
import { CallLimit } from './call-limit.ts'

function setUp() {
  const clock = movableClock()
  const limit = new CallLimit({ maxCalls: 2, windowMs: 1000, perf: clock })
  return { clock, take: (address = 'a') => limit.take(address) }
}

test('S33 past the limit, only the address that reached it waits for the end of its window', () => {
  const { clock, take } = setUp()
  expect(take()).toBe(0)
  clock.move(300)
  expect([take(), take(), take()]).toEqual([0, 700, 700])
  expect(take('b')).toBe(0)
  clock.move(600)
  expect(take()).toBe(100)
})

test('S33 the next window begins with the first call after the last one, even if calls were refused', () => {
  const { clock, take } = setUp()
  for (let calls = 0; calls < 50; calls += 1) take()
  clock.move(1001)
  expect([take(), take(), take()]).toEqual([0, 0, 1000])
})

test('S33 any number of strangers push out only the address that called longest ago', () => {
  const { take } = setUp()
  for (let calls = 0; calls < 3; calls += 1) take()
  for (let stranger = 1; stranger < 10_000; stranger += 1) take(`stranger ${stranger}`)
  expect(take()).toBe(1000)
  for (let stranger = 0; stranger < 10_000; stranger += 1) take(`another ${stranger}`)
  expect(take()).toBe(0)
})
