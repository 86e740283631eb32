import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxLatDeg, nearestTurn, placeAt, worldPoint } from './map-camera.ts'

const lat = fc.double({ min: -85, max: 85, noNaN: true })
const lon = fc.double({ min: -180, max: 179.999, noNaN: true })

test('a place is found again from where it is drawn', () => {
  fc.assert(
    fc.property(lat, lon, (latDeg, lonDeg) => {
      const found = placeAt(worldPoint({ latDeg, lonDeg }))
      expect(found.latDeg).toBeCloseTo(latDeg, 6)
      expect(found.lonDeg).toBeCloseTo(lonDeg, 6)
    }),
  )
})

test('the world is a square, and the poles lie on its edges', () => {
  expect(worldPoint({ latDeg: maxLatDeg, lonDeg: -180 })).toEqual({ x: 0, y: expect.closeTo(0, 6) })
  expect(worldPoint({ latDeg: -90, lonDeg: 180 })).toEqual({ x: 1, y: expect.closeTo(1, 6) })
  expect(worldPoint({ latDeg: 0, lonDeg: 0 })).toEqual({ x: 0.5, y: expect.closeTo(0.5, 12) })
})

test('the nearest way round may lead over the antimeridian', () => {
  expect(nearestTurn(0.9, 0.1)).toBeCloseTo(0.2)
  expect(nearestTurn(0.1, 0.9)).toBeCloseTo(-0.2)
  expect(nearestTurn(0.4, 0.6)).toBeCloseTo(0.2)
})
