import fc from 'fast-check'
import { expect, test } from 'vitest'
import { regionAt, regionBounds, type Region, regionDeg, regionOutline } from './region.ts'

test.each([
  [-90, -180, 0, 0],
  [90, 180, 5, 11],
  [90, 0, 5, 6],
  [-90, 179.999, 0, 11],
  [0, 0, 3, 6],
  [-0.001, -0.001, 2, 5],
  [-1e-15, -1e-15, 2, 5],
  [-Number.MIN_VALUE, -Number.MIN_VALUE, 2, 5],
  [29.999, 30, 3, 7],
  [60, -150, 5, 1],
])('lat %d, lon %d is in bands %d and %d', (latDeg, lonDeg, latBand, lonBand) => {
  expect(regionAt({ latDeg, lonDeg })).toEqual({ latBand, lonBand })
})

function regionCentre({ latBand, lonBand }: Region) {
  return {
    latDeg: (latBand + 0.5) * regionDeg - 90,
    lonDeg: (lonBand + 0.5) * regionDeg - 180,
  }
}

const anyRegion = fc.record({
  latBand: fc.integer({ min: 0, max: 5 }),
  lonBand: fc.integer({ min: 0, max: 11 }),
})

test('every place lies in one of 6 x 12 cells, within 15 degrees of its centre both ways', () => {
  const anyPlace = fc.record({
    latDeg: fc.double({ min: -90, max: 90, noNaN: true }),
    lonDeg: fc.double({ min: -180, max: 180, noNaN: true }),
  })
  fc.assert(
    fc.property(anyPlace, (place) => {
      const region = regionAt(place)
      const centre = regionCentre(region)
      expect(Math.abs(place.latDeg - centre.latDeg)).toBeLessThanOrEqual(15)
      expect(Math.abs(place.lonDeg - centre.lonDeg)).toBeLessThanOrEqual(15)
    }),
  )
})

test('a cell contains its own centre', () => {
  fc.assert(
    fc.property(anyRegion, (region) => {
      expect(regionAt(regionCentre(region))).toEqual(region)
    }),
  )
})

test('the outline follows the edges of its cell, around all four corners', () => {
  fc.assert(
    fc.property(anyRegion, (region) => {
      const centre = regionCentre(region)
      const offsets = regionOutline(region, 3).map(({ latDeg, lonDeg }) => [
        Math.abs(latDeg - centre.latDeg),
        Math.abs(lonDeg - centre.lonDeg),
      ])
      expect(offsets).toHaveLength(40)
      for (const offset of offsets) expect(Math.max(...offset)).toBeCloseTo(15)
      expect(offsets.filter(([lat = 0, lon = 0]) => lat + lon > 29.999)).toHaveLength(4)
    }),
  )
})

test.each([
  [-15, 130, '30°S to 0°, 120°E to 150°E'],
  [15, -15, '0° to 30°N, 30°W to 0°'],
  [90, 180, '60°N to 90°N, 150°E to 180°'],
  [-90, -180, '90°S to 60°S, 180° to 150°W'],
])('the region of lat %d, lon %d is %s', (latDeg, lonDeg, bounds) => {
  expect(regionBounds(regionAt({ latDeg, lonDeg }))).toBe(bounds)
})
