import { expect, test } from 'vitest'
import { movableClock } from '../../test/movable-clock.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'

const minuteMs = 60_000

function throttleOnClock() {
  const { now, move } = movableClock()
  const waits: number[] = []
  const throttle = createSignInThrottle({ clock: now, wait: async (ms) => waits.push(ms) })
  const admit = (times: number, address: string, username = 'nova') => {
    for (let time = 0; time < times; time += 1) throttle.admit(address, username)
  }
  const fail = (times: number) => {
    for (let time = 0; time < times; time += 1) throttle.recordFailure('nova')
  }
  return { throttle, move, waits, admit, fail }
}

test('S6 an address has 10 tries a minute for one username', () => {
  const { admit } = throttleOnClock()
  admit(10, '192.0.2.1')
  expect(() => admit(1, '192.0.2.1')).toThrow(
    expect.objectContaining({ code: 'rate_limited', retryAfterS: 60 }),
  )
})

test('S6 nobody can lock out others: other addresses and usernames are not limited', () => {
  const { admit } = throttleOnClock()
  admit(10, '192.0.2.1')
  expect(() => admit(1, '192.0.2.1')).toThrow('rate_limited')
  expect(() => admit(1, '192.0.2.2')).not.toThrow()
  expect(() => admit(1, '192.0.2.1', 'other')).not.toThrow()
})

test('S6 an address has 60 tries a minute for all usernames together', () => {
  const { throttle } = throttleOnClock()
  for (let time = 0; time < 60; time += 1) throttle.admit('192.0.2.1', `user-${time}`)
  expect(() => throttle.admit('192.0.2.1', 'user-60')).toThrow('rate_limited')
  expect(() => throttle.admit('192.0.2.2', 'user-60')).not.toThrow()
})

test('S6 the wait is given in whole seconds, rounded up', () => {
  const { admit, move } = throttleOnClock()
  admit(10, '192.0.2.1')
  expect(() => admit(1, '192.0.2.1')).toThrow('rate_limited')
  move(minuteMs - 1)
  expect(() => admit(1, '192.0.2.1')).toThrow(expect.objectContaining({ retryAfterS: 1 }))
  move(1)
  expect(() => admit(1, '192.0.2.1')).not.toThrow()
})

test('S6 after 10 failures each try waits, twice as long each time, at most 2 s', async () => {
  const { throttle, waits, fail } = throttleOnClock()
  fail(9)
  await throttle.slowDown('nova')
  expect(waits).toEqual([])
  for (let time = 0; time < 7; time += 1) {
    fail(1)
    await throttle.slowDown('nova')
  }
  expect(waits).toEqual([100, 200, 400, 800, 1600, 2000, 2000])
})

test('S6 other usernames are not slowed', async () => {
  const { throttle, waits, fail } = throttleOnClock()
  fail(30)
  await throttle.slowDown('other')
  expect(waits).toEqual([])
})

test('S6 failures older than 15 minutes do not count', async () => {
  const { throttle, waits, fail, move } = throttleOnClock()
  fail(5)
  move(14 * minuteMs)
  fail(5)
  await throttle.slowDown('nova')
  expect(waits).toEqual([100])
  move(minuteMs)
  await throttle.slowDown('nova')
  expect(waits).toEqual([100])
})
