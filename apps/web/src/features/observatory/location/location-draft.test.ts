import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draftOf, emptyDraft, readPlace } from './location-draft.ts'

const inRange = (max: number) => fc.double({ min: -max, max, noNaN: true }).map((deg) => deg + 0)
const read = (lat: string, lon: string) => readPlace({ label: 'Attic', lat, lon })

test.each([
  ['90', '180', { lat: 90, lon: 180 }],
  ['-90', '-180', { lat: -90, lon: -180 }],
  [' 54.323312 ', '+10.1', { lat: 54.323312, lon: 10.1 }],
  ['0', '-0', { lat: 0, lon: -0 }],
])('%j and %j are a place', (lat, lon, place) => {
  expect(read(lat, lon)).toEqual(place)
})

test.each([
  ['', ''],
  ['1', ''],
  ['', '1'],
  ['90.000001', '0'],
  ['-90.1', '0'],
  ['0', '180.000001'],
  ['0', '-181'],
  ['54,3', '10'],
  ['0x10', '10'],
  ['NaN', '0'],
  ['Infinity', '0'],
  ['54.3 N', '10'],
])('%j and %j are none', (lat, lon) => {
  expect(read(lat, lon)).toBeUndefined()
})

test('a saved location is read back from its fields as it was', () => {
  fc.assert(
    fc.property(inRange(90), inRange(180), (lat, lon) => {
      expect(readPlace(draftOf({ id: 'a', label: 'Attic', lat, lon }))).toEqual({ lat, lon })
    }),
  )
})

test('without a saved location the label is My Node, and there is nothing to save yet', () => {
  expect(draftOf(undefined)).toEqual({ label: 'My Node', lat: '', lon: '' })
  expect(readPlace(emptyDraft)).toBeUndefined()
})
