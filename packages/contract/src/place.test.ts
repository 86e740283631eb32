import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coarsePlace, type Place } from './place.ts'

const kmPerDeg = 111.2
const coarsePrecisions = ['km1', 'km10'] as const
const heightDeg = { km1: 0.01, km10: 0.1 }

const edges = { lat: [-90, -89.999, -0, 0, 89.999, 90], lon: [-180, -179.999_999, -0, 0, 180] }
const degrees = (max: number, special: readonly number[]) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.double({ min: -max, max, noNaN: true }) },
    fc.constantFrom(...special),
  )
const anyPlace = fc.record({ lat: degrees(90, edges.lat), lon: degrees(180, edges.lon) })
const anyCoarse = fc.constantFrom(...coarsePrecisions)

const rad = (deg: number) => (deg * Math.PI) / 180
const half = (deg: number) => Math.sin(rad(deg) / 2) ** 2

/** Distance on the sphere, in km. */
function distanceKm(a: Place, b: Place): number {
  const h = half(a.lat - b.lat) + Math.cos(rad(a.lat)) * Math.cos(rad(b.lat)) * half(a.lon - b.lon)
  return (2 * Math.asin(Math.min(1, Math.sqrt(h))) * 180 * kmPerDeg) / Math.PI
}

test('an exact place is shown as it is', () => {
  fc.assert(
    fc.property(anyPlace, (place) => {
      expect(coarsePlace(place, 'exact')).toEqual(place)
    }),
  )
})

test.each([
  [
    'km1',
    { lat: 52.525, lon: 13.412 },
    { lat: 52.5212, lon: 13.4064 },
    { lat: 52.5288, lon: 13.4189 },
  ],
  [
    'km10',
    { lat: 52.55, lon: 13.49 },
    { lat: 52.5012, lon: 13.4264 },
    { lat: 52.5988, lon: 13.5511 },
  ],
] as const)(
  'to %s, all of a neighbourhood is shown at one place',
  (precision, shown, one, other) => {
    expect(coarsePlace(one, precision)).toEqual(shown)
    expect(coarsePlace(other, precision)).toEqual(shown)
  },
)

describe.each(coarsePrecisions)('to %s', (precision) => {
  const heightKm = heightDeg[precision] * kmPerDeg

  test('what is shown is near: no farther than a cell’s corner', () => {
    fc.assert(
      fc.property(anyPlace, (place) => {
        expect(distanceKm(place, coarsePlace(place, precision))).toBeLessThan(0.8 * heightKm)
      }),
      { numRuns: 2000 },
    )
  })

  test('what is shown is a place on Earth, at the poles and at the antimeridian too', () => {
    fc.assert(
      fc.property(anyPlace, (place) => {
        const { lat, lon } = coarsePlace(place, precision)
        expect(Math.abs(lat)).toBeLessThan(90)
        expect(Math.abs(lon)).toBeLessThan(180)
        expect(Object.is(lat, -0) || Object.is(lon, -0)).toBe(false)
      }),
    )
  })

  test('what is shown is shown again as it is, so one place stands for its cell', () => {
    fc.assert(
      fc.property(anyPlace, (place) => {
        const shown = coarsePlace(place, precision)
        expect(coarsePlace(shown, precision)).toEqual(shown)
      }),
    )
  })

  test('it has few decimals, so that it looks no more exact than it is', () => {
    fc.assert(
      fc.property(anyPlace, (place) => {
        const shown = coarsePlace(place, precision)
        const digits = precision === 'km1' ? /^-?\d+(\.\d{1,3})?$/ : /^-?\d+(\.\d{1,2})?$/
        expect(`${shown.lat}`).toMatch(digits)
        expect(`${shown.lon}`).toMatch(digits)
      }),
    )
  })

  test('cells are about as wide as they are high, at every latitude', () => {
    const lat = fc.double({ min: -90, max: 90, noNaN: true })
    fc.assert(
      fc.property(lat, (at) => {
        const row = coarsePlace({ lat: at, lon: 0 }, precision)
        const circleKm = 360 * kmPerDeg * Math.cos(rad(row.lat))
        const widthKm = circleKm / cellsAt(row.lat)
        expect(widthKm / heightKm).toBeGreaterThan(0.85)
        expect(widthKm / heightKm).toBeLessThan(1.15)
      }),
      { numRuns: 300 },
    )
  })

  /** The number of cells in a row, from the width of the cell that begins at the antimeridian. */
  function cellsAt(lat: number): number {
    return Math.round(360 / (2 * (coarsePlace({ lat, lon: -180 }, precision).lon + 180)))
  }

  test('180° east and 180° west are one meridian', () => {
    fc.assert(
      fc.property(degrees(90, edges.lat), (lat) => {
        const west = coarsePlace({ lat, lon: -180 }, precision)
        expect(coarsePlace({ lat, lon: 180 }, precision)).toEqual(west)
      }),
    )
  })
})

test('a device shown to 1 km and to 10 km gives no more away than to 1 km alone', () => {
  fc.assert(
    fc.property(anyPlace, (place) => {
      expect(coarsePlace(coarsePlace(place, 'km1'), 'km10')).toEqual(coarsePlace(place, 'km10'))
    }),
  )
})

test('two places far apart are never shown at one', () => {
  fc.assert(
    fc.property(anyPlace, anyPlace, anyCoarse, (a, b, precision) => {
      fc.pre(distanceKm(a, b) > 3 * heightDeg[precision] * kmPerDeg)
      expect(coarsePlace(a, precision)).not.toEqual(coarsePlace(b, precision))
    }),
  )
})
