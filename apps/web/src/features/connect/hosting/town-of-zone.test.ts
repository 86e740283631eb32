import { expect, test } from 'vitest'
import { indexTowns } from '../../../lib/towns/search-towns.ts'
import { sampleTowns } from '../../../lib/towns/testing/sample-towns.ts'
import { cityOfZone, townOfCity } from './town-of-zone.ts'

test.each([
  ['Europe/Vienna', 'Vienna'],
  ['America/New_York', 'New York'],
  ['America/Indiana/Knox', 'Knox'],
  ['UTC', undefined],
  ['Etc/GMT+5', undefined],
])('%s is named after %s', (zone, city) => {
  expect(cityOfZone(zone)).toBe(city)
})

test.each([
  ['Vienna', 'Vienna'],
  ['New York', 'New York City'],
  ['Zurich', 'Zürich'],
  ['Knox', undefined],
  // A later word in a town's name doesn't match.
  ['City', undefined],
])('%s is the town %s', (city, name) => {
  expect(townOfCity(indexTowns(sampleTowns), city)?.name).toBe(name)
})
