import { expect, test } from 'vitest'
import { foldName, indexTowns, searchTowns } from './search-towns.ts'
import { sampleTowns } from './testing/sample-towns.ts'

const towns = indexTowns(sampleTowns)
const found = (typed: string, limit = 8) =>
  searchTowns(towns, typed, limit).map(({ name, region }) => `${name}, ${region}`)

test.each([
  ['vien', ['Vienna, Austria']],
  [' ZÜRICH ', ['Zürich, Switzerland']],
  ['zurich', ['Zürich, Switzerland']],
  ['xian', ['Xi’an, China']],
  ['tromso', ['Tromsø, Norway']],
  ['st louis', ['St. Louis, MO, United States']],
  ['wilkes barre', ['Wilkes-Barre, PA, United States']],
  ['atlantis', []],
  ['', []],
  [' , austria', []],
])('%j finds %j', (typed, names) => {
  expect(found(typed)).toEqual(names)
})

test('names that begin with the text come first, then later words, the largest first', () => {
  expect(found('york')).toEqual([
    'York, United Kingdom',
    'York, PA, United States',
    'New York City, NY, United States',
  ])
  expect(found('york', 2)).toHaveLength(2)
})

test('the end of a word is not a match', () => {
  expect(found('ork')).toEqual([])
})

test.each([
  ['york, united kingdom', ['York, United Kingdom']],
  ['york, pa', ['York, PA, United States']],
  ['york,uni', found('york')],
  ['york, france', []],
])('%j asks for a country too', (typed, expected) => {
  expect(found(typed)).toEqual(expected)
})

test('a town with two names is found by either, only once', () => {
  expect(found('wien')).toEqual(['Wien, Austria'])
  expect(found('vienn')).toEqual(['Vienna, Austria'])
  const likewise = { ...sampleTowns, names: sampleTowns.names.replace('Wien', 'Vienne') }
  expect(searchTowns(indexTowns(likewise), 'vien', 8)).toHaveLength(1)
})

test('a town has the coordinates of the list', () => {
  expect(searchTowns(towns, 'vienna', 1)).toMatchObject([{ lat: 48.208, lon: 16.372 }])
})

test('folding keeps the line breaks', () => {
  expect(foldName('Ðà Lạt\nŁódź\nSâo-Tomé')).toBe('da lat\nlodz\nsao tome')
})
