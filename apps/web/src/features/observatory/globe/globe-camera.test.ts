import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  clampedCamera,
  createCameraMotion,
  firstCamera,
  steppedZoom,
  zoomForSpan,
} from './globe-camera.ts'

const anyNumber = fc.double({ noNaN: true, min: -1e6, max: 1e6 })

test('every camera is clamped to its ranges', () => {
  fc.assert(
    fc.property(anyNumber, anyNumber, anyNumber, (zoom, yawDeg, pitchDeg) => {
      const camera = clampedCamera({ view: 'earth', zoom, yawDeg, pitchDeg })
      expect(camera.zoom).toBeGreaterThanOrEqual(0.6)
      expect(camera.zoom).toBeLessThanOrEqual(1.8)
      expect(Math.abs(camera.pitchDeg)).toBeLessThanOrEqual(89)
      expect(camera.yawDeg).toBeGreaterThanOrEqual(-180)
      expect(camera.yawDeg).toBeLessThan(180)
      expect(clampedCamera(camera)).toEqual(camera)
    }),
  )
})

test('pitch stops short of the poles, and 180 degrees east is west', () => {
  const camera = clampedCamera({ view: 'sky', zoom: 1, yawDeg: 180, pitchDeg: 90 })
  expect(camera).toEqual({ view: 'sky', zoom: 1, yawDeg: -180, pitchDeg: 89 })
})

test('a zoom between two steps stays there', () => {
  const pinched = { view: 'earth', zoom: 1.2345, yawDeg: 0, pitchDeg: 0 } as const
  expect(clampedCamera(pinched).zoom).toBe(1.2345)
})

test('zoom goes from 0.6 to 1.8 in exact steps of 0.1, both ways', () => {
  const steps = [0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8]
  for (const [index, zoom] of steps.entries()) {
    expect(steppedZoom(zoom, 'in')).toBe(steps[index + 1] ?? 1.8)
    expect(steppedZoom(zoom, 'out')).toBe(steps[index - 1] ?? 0.6)
  }
})

test('a zoom between two steps goes to the next step', () => {
  expect(steppedZoom(1.234, 'in')).toBe(1.3)
  expect(steppedZoom(1.234, 'out')).toBe(1.2)
})

test.each([
  [180, 1],
  [60, 1.8],
  [80, 1.5],
  [5, 1.8],
])('%d degrees fit into the view at zoom %d', (spanDeg, zoom) => {
  expect(zoomForSpan(spanDeg)).toBe(zoom)
})

test('a whole turn changes nothing', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -180, max: 179 }),
      fc.integer({ min: -9, max: 9 }),
      (yaw, turns) => {
        const turned = { ...firstCamera, yawDeg: yaw + 360 * turns }
        expect(clampedCamera(turned).yawDeg).toBe(yaw)
      },
    ),
  )
})

const start = { view: 'earth', zoom: 1, yawDeg: 170, pitchDeg: 20 } as const

test('a camera that is set at once is there at once', () => {
  const motion = createCameraMotion(start)
  motion.set({ ...start, view: 'sky', yawDeg: 10 }, 'at-once')
  expect(motion.shown).toEqual({ skyShare: 1, zoom: 1, yawDeg: 10, pitchDeg: 20 })
  expect(motion.isMoving).toBe(false)
})

test('a change of view takes 600 ms from its first frame, however late that is', () => {
  const motion = createCameraMotion(start)
  motion.set({ ...start, view: 'sky' }, 'animated')
  motion.advance(5000)
  expect(motion.shown.skyShare).toBe(0)
  motion.advance(5300)
  expect(motion.shown.skyShare).toBeCloseTo(0.5)
  motion.advance(5599)
  expect(motion.isMoving).toBe(true)
  motion.advance(5600)
  expect(motion.shown.skyShare).toBe(1)
  expect(motion.isMoving).toBe(false)
})

test('the camera turns the short way around, also across the antimeridian', () => {
  const motion = createCameraMotion(start)
  motion.set({ ...start, yawDeg: -170 }, 'animated')
  motion.advance(0)
  for (const nowMs of [40, 80, 160, 240, 319]) {
    motion.advance(nowMs)
    expect(Math.abs(motion.shown.yawDeg)).toBeGreaterThanOrEqual(170)
  }
  motion.advance(320)
  expect(motion.shown.yawDeg).toBe(-170)
})

test('the target is known before the camera arrives, so that steps add up', () => {
  const motion = createCameraMotion(start)
  motion.set({ ...motion.target, zoom: 1.1 }, 'animated')
  motion.set({ ...motion.target, zoom: motion.target.zoom + 0.1 }, 'animated')
  motion.advance(0)
  motion.advance(1000)
  expect(motion.shown.zoom).toBeCloseTo(1.2)
})

test('halt keeps the place where it is and completes the view', () => {
  const motion = createCameraMotion(start)
  motion.set({ ...start, view: 'sky', pitchDeg: 60 }, 'animated')
  motion.advance(0)
  motion.advance(300)
  motion.halt()
  expect(motion.target.view).toBe('sky')
  expect(motion.shown.skyShare).toBe(1)
  expect(motion.target.pitchDeg).toBeCloseTo(40)
  expect(motion.isMoving).toBe(false)
})

test('setting the same camera again changes nothing', () => {
  const motion = createCameraMotion(start)
  expect(motion.set(start, 'animated')).toBe(false)
  expect(motion.set(start, 'at-once')).toBe(false)
  motion.set({ ...start, zoom: 1.5 }, 'animated')
  expect(motion.set(motion.target, 'at-once')).toBe(true)
  expect(motion.shown.zoom).toBe(1.5)
})
