import { expect, test } from 'vitest'
import { createCameraMotion } from './camera-motion.ts'

const start = { view: 'earth', zoom: 1, yawDeg: 170, pitchDeg: 20 } as const

test('a camera that is set at once is there at once', () => {
  const motion = createCameraMotion(start)
  motion.set({ ...start, view: 'sky', yawDeg: 10 }, 'at-once')
  expect(motion.shown).toEqual({ skyShare: 1, zoom: 1, yawDeg: 10, pitchDeg: 20 })
  expect(motion.isMoving).toBe(false)
})

test('between the views it takes 600 ms from the first frame, however late that comes', () => {
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

test('it turns the short way around, over the antimeridian too', () => {
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

test('the target is known before the camera is there, so that steps add up', () => {
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
