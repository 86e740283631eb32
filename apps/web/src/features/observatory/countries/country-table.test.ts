import { expect, test } from 'vitest'
import { countries, sightOfCountry } from './country-table.ts'

/** Legal borders along meridians and parallels, and the coasts, to half a degree. */
const borders: readonly [name: string, south: number, north: number, west: number, east: number][] =
  [
    ['New South Wales', -37.5, -28, 141, 154],
    ['Victoria', -39.5, -34, 141, 150],
    ['Queensland', -29.5, -10, 138, 154],
    ['Western Australia', -35.5, -13.5, 112.5, 129],
    ['South Australia', -38.5, -26, 129, 141],
    ['Tasmania', -44, -39.2, 143.5, 148.5],
    ['Northern Territory', -26, -10.5, 129, 138],
    ['Australian Capital Territory', -36, -35, 148.5, 149.5],
  ]

test('there is one country, Australia, with its box', () => {
  expect(countries.map(({ name, box }) => ({ name, ...box }))).toEqual([
    { name: 'Australia', latMinDeg: -44, latMaxDeg: -10, lonMinDeg: 112, lonMaxDeg: 154 },
  ])
})

test('its states and territories are these eight', () => {
  const names = countries.flatMap(({ states }) => states.map(({ name }) => name))
  expect(names).toEqual(borders.map(([name]) => name))
})

test.each(borders)(
  'the centre of %s lies between its borders',
  (name, south, north, west, east) => {
    const state = countries[0]?.states.find((each) => each.name === name)
    expect(state?.latDeg).toBeGreaterThan(south)
    expect(state?.latDeg).toBeLessThan(north)
    expect(state?.lonDeg).toBeGreaterThan(west)
    expect(state?.lonDeg).toBeLessThan(east)
  },
)

test('every centre is inside its country’s box', () => {
  for (const { box, states } of countries) {
    for (const { latDeg, lonDeg } of states) {
      expect(latDeg).toBeGreaterThan(box.latMinDeg)
      expect(latDeg).toBeLessThan(box.latMaxDeg)
      expect(lonDeg).toBeGreaterThan(box.lonMinDeg)
      expect(lonDeg).toBeLessThan(box.lonMaxDeg)
    }
  }
})

test('a country’s view shows all of it from above its middle', () => {
  const spanDeg = 42 * Math.cos((27 * Math.PI) / 180)
  expect(countries.map(sightOfCountry)).toEqual([
    { latDeg: -27, lonDeg: 133, spanDeg: expect.closeTo(spanDeg) },
  ])
})
