import fc from 'fast-check'
import { expect, test } from 'vitest'
import { movableClock } from '../../test/movable-clock.ts'
import { createBurstLimit } from './sign-in-throttle.ts'

const minuteMs = 60_000

function limitOfTen() {
  const { now, move } = movableClock()
  const limit = createBurstLimit({ clock: now, maxTries: 10, windowMs: minuteMs })
  const tryTimes = (times: number, key = 'a') => Array.from({ length: times }, () => limit(key))
  return { limit, move, tryTimes }
}

test('S6 tries up to the limit are free, and the next one has to wait', () => {
  const { tryTimes } = limitOfTen()
  expect(tryTimes(10)).toEqual(Array.from({ length: 10 }, () => 0))
  expect(tryTimes(1)).toEqual([minuteMs])
})

test('S6 each key has its own count', () => {
  const { tryTimes } = limitOfTen()
  tryTimes(11)
  expect(tryTimes(1, 'b')).toEqual([0])
})

test('S6 the wait is enforced to its last millisecond, and waiting tries do not make it longer', () => {
  const { tryTimes, move } = limitOfTen()
  tryTimes(11)
  move(minuteMs - 1)
  expect(tryTimes(3)).toEqual([1, 1, 1])
  move(1)
  expect(tryTimes(1)).toEqual([0])
})

test('S6 each further burst doubles the wait, up to 15 minutes', () => {
  const { tryTimes, move } = limitOfTen()
  const waits = Array.from({ length: 6 }, () => {
    const wait = tryTimes(11).at(-1) ?? 0
    move(wait)
    return wait / minuteMs
  })
  expect(waits).toEqual([1, 2, 4, 8, 15, 15])
})

test('S6 after a calm period the waits start over', () => {
  const { tryTimes, move } = limitOfTen()
  tryTimes(11)
  move(minuteMs + 15 * minuteMs - 1)
  expect(tryTimes(11).at(-1)).toBe(2 * minuteMs)
  move(2 * minuteMs + 15 * minuteMs)
  expect(tryTimes(11).at(-1)).toBe(minuteMs)
})

test('S6 no window of a minute admits more than the limit, wherever it begins', () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 30, maxLength: 200 })
  fc.assert(
    fc.property(pauses, (pausesMs) => {
      const { limit, move } = limitOfTen()
      const admittedAt: number[] = []
      let nowMs = 0
      for (const pauseMs of pausesMs) {
        move(pauseMs)
        nowMs += pauseMs
        if (limit('a') === 0) admittedAt.push(nowMs)
      }
      for (const [index, atMs] of admittedAt.entries()) {
        const eleventh = admittedAt[index + 10] ?? Infinity
        expect(eleventh - atMs).toBeGreaterThanOrEqual(minuteMs)
      }
    }),
  )
})
