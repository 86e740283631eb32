import fc from 'fast-check'
import { expect, test } from 'vitest'
import { steadyClock } from './clock.ts'

function setUp() {
  let wallMs = 1_700_000_000_000
  let elapsedMs = 0
  const told: number[] = []
  const clock = steadyClock({
    wall: () => wallMs,
    elapsed: () => elapsedMs,
    onSetBack: (behindMs) => told.push(behindMs),
  })
  return {
    clock,
    told,
    wall: () => wallMs,
    pass: (ms: number) => {
      wallMs += ms
      elapsedMs += ms
    },
    set: (byMs: number) => {
      wallMs += byMs
    },
  }
}

test('it is the machine’s clock unless that is set', () => {
  const { clock, told, wall, pass } = setUp()
  pass(5000)
  expect(clock()).toBe(wall())
  expect(told).toEqual([])
})

test('S50 it follows a machine’s clock that is set forward', () => {
  const { clock, wall, set } = setUp()
  set(3_600_000)
  expect(clock()).toBe(wall())
})

test('S50 if the machine’s clock is set back an hour, it goes on at its own pace and reports so once', () => {
  const { clock, told, wall, pass, set } = setUp()
  const before = clock()
  set(-3_600_000)
  expect(clock()).toBe(before)
  pass(1000)
  expect(clock()).toBe(before + 1000)
  pass(1000)
  expect(clock()).toBe(before + 2000)
  expect(told).toEqual([3_600_000])
  set(3_600_000)
  expect(clock()).toBe(wall())
  set(-7_200_000)
  clock()
  expect(told).toEqual([3_600_000, 7_200_000])
})

test('S50 it never goes back, nor slower than time passes, however the machine’s clock is set', () => {
  const step = fc.record({ pass: fc.nat(10_000), set: fc.integer({ min: -1e9, max: 1e9 }) })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const { clock, pass, set } = setUp()
      let lastMs = clock()
      for (const { pass: passMs, set: setMs } of steps) {
        set(setMs)
        const atMs = clock()
        expect(atMs).toBeGreaterThanOrEqual(lastMs)
        pass(passMs)
        lastMs = clock()
        expect(lastMs - atMs).toBeGreaterThanOrEqual(passMs)
      }
    }),
  )
})
