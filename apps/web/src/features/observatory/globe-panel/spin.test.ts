import { expect, test } from 'vitest'
import { createSpinMeter, spunSince } from './spin.ts'

function meterOf(...samples: readonly (readonly [timeMs: number, yawDeg: number])[]) {
  const meter = createSpinMeter()
  meter.start()
  for (const [timeMs, yawDeg] of samples) meter.note({ yawDeg, pitchDeg: 0 }, timeMs)
  return meter
}

test('a globe let go while it moves has the speed of its last moments', () => {
  const meter = meterOf([0, 50], [200, 0], [250, 4], [290, 9])
  expect(meter.speed(300)).toEqual({ yawDeg: 0.1, pitchDeg: 0 })
})

test('the way over the antimeridian is short', () => {
  expect(meterOf([0, 178], [40, -178]).speed(40)?.yawDeg).toBeCloseTo(0.1)
})

test('no throw moves it faster than one can follow', () => {
  expect(meterOf([0, 0], [10, 90]).speed(10)?.yawDeg).toBeCloseTo(0.18)
})

test.each([
  ['a finger that rested first', meterOf([0, 0], [50, 20]).speed(200)],
  ['a drag slower than one sees', meterOf([0, 0], [90, 0.1]).speed(90)],
  ['a single move', meterOf([0, 0]).speed(0)],
  ['no move at all', meterOf().speed(0)],
])('%s throws nothing', (_, speed) => {
  expect(speed).toBeUndefined()
})

test('a thrown globe slows down, turns less than 60 degrees, and stands within 2 s', () => {
  const speed = { yawDeg: 0.18, pitchDeg: 0 }
  const turned = [100, 400, 1000, 2000].map((elapsedMs) => spunSince(speed, elapsedMs))
  expect(turned.map(({ isMoving }) => isMoving)).toEqual([true, true, true, false])
  for (const [index, { yawDeg }] of turned.entries()) {
    expect(yawDeg).toBeGreaterThan(turned[index - 1]?.yawDeg ?? 0)
    expect(yawDeg).toBeLessThan(60)
  }
})
