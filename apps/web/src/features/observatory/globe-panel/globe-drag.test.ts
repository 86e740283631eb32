import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createProjection, centreOn, project, unproject } from '../globe/projection.ts'
import { cameraHolding, createSpinMeter, type DiscPoint, spunSince } from './globe-drag.ts'

const radiusPx = 200
const middle = { xPx: 460, yPx: 230 }

function looking(pitchDeg: number, yawDeg: number) {
  const projection = createProjection()
  Object.assign(projection, { centreXPx: middle.xPx, centreYPx: middle.yPx, radiusPx })
  centreOn(projection.axes, pitchDeg, yawDeg)
  return projection
}

function onCanvas({ right, up }: DiscPoint) {
  return { xPx: middle.xPx + right * radiusPx, yPx: middle.yPx - up * radiusPx }
}

const yaw = fc.double({ min: -180, max: 180, noNaN: true })
const pitch = fc.double({ min: -89, max: 89, noNaN: true })
const gentlePitch = fc.double({ min: -40, max: 40, noNaN: true })
const point = (reach: number) =>
  fc.record({
    right: fc.double({ min: -reach, max: reach, noNaN: true }),
    up: fc.double({ min: -reach, max: reach, noNaN: true }),
  })

test('the held place stays under the finger', () => {
  fc.assert(
    fc.property(gentlePitch, yaw, point(0.35), point(0.35), (pitchDeg, yawDeg, from, to) => {
      const place = unproject(looking(pitchDeg, yawDeg), onCanvas(from))
      if (place === undefined) throw new Error('the disc has no such point')
      const camera = cameraHolding({ view: 'earth', zoom: 1, yawDeg, pitchDeg }, place, to)
      // The globe stops near the poles.
      if (Math.abs(camera.pitchDeg) > 89) return
      // A place near the axis can't be turned far away from it.
      if (Math.abs(to.right) > Math.cos((place.latDeg * Math.PI) / 180)) return
      const held = project(looking(camera.pitchDeg, camera.yawDeg), place)
      expect(held?.xPx).toBeCloseTo(onCanvas(to).xPx, 1)
      expect(held?.yPx).toBeCloseTo(onCanvas(to).yPx, 1)
    }),
  )
})

test('holding a place where it already is turns nothing', () => {
  fc.assert(
    fc.property(pitch, yaw, point(0.6), (pitchDeg, yawDeg, at) => {
      const place = unproject(looking(pitchDeg, yawDeg), onCanvas(at))
      if (place === undefined) return
      const camera = cameraHolding({ view: 'earth', zoom: 1, yawDeg, pitchDeg }, place, at)
      const held = project(looking(camera.pitchDeg, camera.yawDeg), place)
      expect(held?.xPx).toBeCloseTo(onCanvas(at).xPx, 1)
      expect(camera.pitchDeg).toBeCloseTo(pitchDeg, 0)
    }),
  )
})

test('a place dragged over a pole tips the globe without turning it around', () => {
  const camera = { view: 'earth', zoom: 1, yawDeg: 12, pitchDeg: 80 } as const
  const beyond = unproject(looking(80, 12), onCanvas({ right: 0, up: 0.6 }))
  if (beyond === undefined) throw new Error('the disc has no such point')
  const tipped = cameraHolding(camera, beyond, { right: 0, up: -0.5 })
  expect(Math.cos(((tipped.yawDeg - 12) * Math.PI) / 180)).toBeCloseTo(1)
  expect(tipped.pitchDeg).toBeGreaterThan(90)
})

function meterOf(...samples: readonly (readonly [timeMs: number, yawDeg: number])[]) {
  const meter = createSpinMeter()
  meter.start()
  for (const [timeMs, yawDeg] of samples) meter.add({ yawDeg, pitchDeg: 0 }, timeMs)
  return meter
}

test('a released globe has the speed of its last moments', () => {
  const meter = meterOf([0, 50], [200, 0], [250, 4], [290, 9])
  expect(meter.speed(300)).toEqual({ yawDeg: 0.1, pitchDeg: 0 })
})

test('the antimeridian does not count as a long way', () => {
  expect(meterOf([0, 178], [40, -178]).speed(40)?.yawDeg).toBeCloseTo(0.1)
})

test('no throw exceeds the greatest speed', () => {
  expect(meterOf([0, 0], [10, 90]).speed(10)?.yawDeg).toBeCloseTo(0.18)
})

test.each([
  ['a finger that rested first', meterOf([0, 0], [50, 20]).speed(200)],
  ['an invisibly slow drag', meterOf([0, 0], [90, 0.1]).speed(90)],
  ['a single move', meterOf([0, 0]).speed(0)],
  ['no move at all', meterOf().speed(0)],
])('%s is not a throw', (_, speed) => {
  expect(speed).toBeUndefined()
})

test('a thrown globe slows down, turns less than 60 degrees, and stops within 2 s', () => {
  const speed = { yawDeg: 0.18, pitchDeg: 0 }
  const turned = [100, 400, 1000, 2000].map((elapsedMs) => spunSince(speed, elapsedMs))
  expect(turned.map(({ isMoving }) => isMoving)).toEqual([true, true, true, false])
  for (const [index, { yawDeg }] of turned.entries()) {
    expect(yawDeg).toBeGreaterThan(turned[index - 1]?.yawDeg ?? 0)
    expect(yawDeg).toBeLessThan(60)
  }
})
