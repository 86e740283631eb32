import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  fitCamera,
  greatestScale,
  leastScale,
  panBy,
  panInto,
  toScreen,
  zoomAt,
} from './chart-camera.ts'

const size = { widthPx: 800, heightPx: 400 }
const places = fc.array(
  fc.tuple(fc.integer({ min: -900, max: 900 }), fc.integer({ min: -900, max: 900 })),
  {
    minLength: 1,
    maxLength: 40,
  },
)

test('the whole chart fits into the picture, unless it is too large', () => {
  fc.assert(
    fc.property(places, (points) => {
      const camera = fitCamera(Float32Array.from(points.flat()), size)
      for (const [x, y] of points) {
        const { xPx, yPx } = toScreen(camera, size, x, y)
        if (camera.scale === leastScale) return
        expect(xPx).toBeGreaterThan(0)
        expect(xPx).toBeLessThan(size.widthPx)
        expect(yPx).toBeGreaterThan(0)
        expect(yPx).toBeLessThan(size.heightPx)
      }
    }),
  )
})

test('zooming keeps the point under the pointer in place', () => {
  const camera = { x: 30, y: -20, scale: 1 }
  const before = toScreen(camera, size, 100, 50)
  const after = toScreen(zoomAt(camera, 1.5, before, size), size, 100, 50)
  expect(after.xPx).toBeCloseTo(before.xPx)
  expect(after.yPx).toBeCloseTo(before.yPx)
})

test('zooming stops at the limits', () => {
  const camera = { x: 0, y: 0, scale: 1 }
  const middle = { xPx: 400, yPx: 200 }
  expect(zoomAt(camera, 1000, middle, size).scale).toBe(greatestScale)
  expect(zoomAt(camera, 1 / 1000, middle, size).scale).toBe(leastScale)
})

test('the chart follows the finger', () => {
  const camera = panBy({ x: 0, y: 0, scale: 2 }, { xPx: 10, yPx: -6 })
  expect(toScreen(camera, size, 0, 0)).toEqual({ xPx: 410, yPx: 194 })
})

test('a visible place moves nothing, and one outside comes in by the smallest move', () => {
  const camera = { x: 0, y: 0, scale: 1 }
  expect(panInto(camera, size, 100, 50)).toEqual(camera)
  const moved = panInto(camera, size, 1000, 50)
  expect(toScreen(moved, size, 1000, 50)).toEqual({ xPx: 744, yPx: 250 })
})
