import { expect, test } from 'vitest'
import { statusCodes } from '../nodes/node-columns.ts'
import { nodesAt } from '../nodes/testing/nodes-at.ts'
import { countries, sightOfCountry } from './country-table.ts'
import { countInCountries, worldCountries } from './world-countries.ts'

const world = worldCountries()
const at = (latDeg: number, lonDeg: number) => ({ latDeg, lonDeg, status: statusCodes.online })
const named = (name: string) => world.find((country) => country.name === name)

test('all countries of the bundled map are listed by their full names', () => {
  expect(world.length).toBeGreaterThan(170)
  const names = world.map(({ name }) => name)
  expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en')))
  expect(names.filter((name) => name.includes('.'))).toEqual([])
})

test('a country of the table has the table’s box and states', () => {
  expect(named('Australia')).toMatchObject(countries[0] ?? {})
  expect(world.filter(({ states }) => states.length > 0)).toHaveLength(1)
})

test.each([
  ['France', 46.5, 2.5],
  ['United States of America', 40, -98],
  ['Russia', 60, 95],
  ['New Zealand', -43.5, 170.5],
  ['Fiji', -17.8, 178],
])('the view of %s shows its main part', (name, latDeg, lonDeg) => {
  const country = named(name)
  if (country === undefined) throw new Error('It is not on the map')
  const sight = sightOfCountry(country)
  expect(Math.abs(sight.latDeg - latDeg)).toBeLessThan(5)
  expect(Math.abs(sight.lonDeg - lonDeg)).toBeLessThan(15)
})

test('nodes count in their country: beyond the antimeridian, not in a hole, not at sea', () => {
  const counts = countInCountries(
    world,
    nodesAt([
      at(52.5, 13.4),
      at(48.1, 11.6),
      at(-33.9, 150.9),
      // Chukotka, east of the antimeridian.
      at(66, -173),
      // Lesotho, surrounded by South Africa.
      at(-29.5, 28.5),
      at(0, -30),
    ]),
  )
  const counted = world.flatMap(({ name }, index) =>
    counts[index] === 0 ? [] : [[name, counts[index]]],
  )
  expect(counted).toEqual([
    ['Australia', 1],
    ['Germany', 2],
    ['Lesotho', 1],
    ['Russia', 1],
  ])
})
