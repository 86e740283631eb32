import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clampedCamera, normalYaw, steppedZoom, zoomForSpan } from './globe-camera.ts'

const anyNumber = fc.double({ noNaN: true, min: -1e6, max: 1e6 })

test('every camera comes into its ranges', () => {
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

test('a zoom between two steps is left there', () => {
  const pinched = { view: 'earth', zoom: 1.2345, yawDeg: 0, pitchDeg: 0 } as const
  expect(clampedCamera(pinched).zoom).toBe(1.2345)
})

test('zoom goes from 0.6 to 1.8 in steps of 0.1, both ways, without dust', () => {
  const steps = [0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8]
  for (const [index, zoom] of steps.entries()) {
    expect(steppedZoom(zoom, 'in')).toBe(steps[index + 1] ?? 1.8)
    expect(steppedZoom(zoom, 'out')).toBe(steps[index - 1] ?? 0.6)
  }
})

test('a step from between two goes to the next one', () => {
  expect(steppedZoom(1.234, 'in')).toBe(1.3)
  expect(steppedZoom(1.234, 'out')).toBe(1.2)
})

test.each([
  [180, 1],
  [60, 1.8],
  [80, 1.5],
  [5, 1.8],
])('%d degrees fit into the picture at zoom %d', (spanDeg, zoom) => {
  expect(zoomForSpan(spanDeg)).toBe(zoom)
})

test('a whole turn changes nothing', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -180, max: 179 }),
      fc.integer({ min: -9, max: 9 }),
      (yaw, turns) => {
        expect(normalYaw(yaw + 360 * turns)).toBe(yaw)
      },
    ),
  )
})
