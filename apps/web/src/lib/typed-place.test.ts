import { expect, test } from 'vitest'
import { readPlace } from './typed-place.ts'

test.each([
  ['90', '180', { lat: 90, lon: 180 }],
  ['-90', '-180', { lat: -90, lon: -180 }],
  [' 54.323312 ', '+10.1', { lat: 54.323312, lon: 10.1 }],
  ['0', '-0', { lat: 0, lon: -0 }],
])('%j and %j are a place', (lat, lon, place) => {
  expect(readPlace({ lat, lon })).toEqual(place)
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
  expect(readPlace({ lat, lon })).toBeUndefined()
})
