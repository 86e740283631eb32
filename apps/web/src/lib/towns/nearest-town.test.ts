import { expect, test } from 'vitest'
import { nearestTown } from './nearest-town.ts'
import { indexTowns } from './search-towns.ts'
import { sampleTowns } from './testing/sample-towns.ts'

const towns = indexTowns(sampleTowns)

test.each([
  [{ lat: 48.3, lon: 16.5 }, 'Vienna'],
  [{ lat: 53.9, lon: -1 }, 'York'],
  // 80 km away: two degrees of longitude are more than 100 km only near the equator.
  [{ lat: 69.6, lon: 16.9 }, 'Tromsø'],
])('%j is near %s', (place, name) => {
  expect(nearestTown(towns, place)?.name).toBe(name)
})

test('no town is near far from all, and the antimeridian is no gap', () => {
  expect(nearestTown(towns, { lat: 0, lon: -140 })).toBeUndefined()
  const suva = indexTowns({ names: 'Labasa', regions: 'FJ', lat: [-16_433], lon: [179_366] })
  expect(nearestTown(suva, { lat: -16.4, lon: -179.9 })?.name).toBe('Labasa')
})
