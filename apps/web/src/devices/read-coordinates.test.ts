import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCoordinates } from './read-coordinates.ts'

const berlin = { lat: 52.52, lon: 13.405 }

test.each([
  '52.52, 13.405',
  '52.52,13.405',
  ' 52.52 13.405 ',
  '52.52;13.405',
  '52,52; 13,405',
  '52,52 13,405',
  '52,52, 13,405',
  '(52.52, 13.405)',
  'geo:52.52,13.405',
  '+52.52, +13.405',
  '52.52° N, 13.405° E',
  '52.52°N 13.405°E',
  '52.52n13.405e',
  'N 52.52 E 13.405',
  '13.405 E, 52.52 N',
  '52° 31′ 12″ N, 13° 24′ 18″ E',
  `52°31'12"N 13°24'18"E`,
  '52°31.2’ 13°24.3’',
])('%j is Berlin', (text) => {
  expect(readCoordinates(text)).toEqual(berlin)
})

test.each([
  ['-33.868, 151.209', { lat: -33.868, lon: 151.209 }],
  ['−33.868 151.209', { lat: -33.868, lon: 151.209 }],
  ['33.868 S 151.209 E', { lat: -33.868, lon: 151.209 }],
  ['40.7128N, 74.006W', { lat: 40.7128, lon: -74.006 }],
  ['-90 180', { lat: -90, lon: 180 }],
  ['52, 13', { lat: 52, lon: 13 }],
  ['52.5200001, 13.4050004', berlin],
])('%j is %j', (text, place) => {
  expect(readCoordinates(text)).toEqual(place)
})

test.each([
  '',
  'Berlin',
  '52.52',
  // One number with a decimal comma, or more than two numbers.
  '52,52',
  '-33,868',
  '52,52,13,405',
  '52.52, 13.405, 17',
  '90.1, 0',
  '0, 180.1',
  '52.52 N, 13.405',
  '52.52 N, 13.405 N',
  'N 52.52 N, 13.405 E',
  '-52.52 S, 13.405 E',
  '52° 60′ N, 13° E',
  '0x34, 13',
  '1e1, 13',
])('%j is none', (text) => {
  expect(readCoordinates(text)).toBeUndefined()
})

function degrees(max: number) {
  return fc.integer({ min: -max * 1e6, max: max * 1e6 }).map((millionths) => millionths / 1e6)
}

test('what a place reads as is read back, with points and with commas', () => {
  fc.assert(
    fc.property(degrees(90), degrees(180), (lat, lon) => {
      const [latText, lonText] = [lat.toFixed(6), lon.toFixed(6)]
      expect(readCoordinates(`${latText}, ${lonText}`)).toEqual({ lat: lat + 0, lon: lon + 0 })
      const withCommas = `${latText}; ${lonText}`.replaceAll('.', ',')
      expect(readCoordinates(withCommas)).toEqual({ lat: lat + 0, lon: lon + 0 })
    }),
  )
})

test('a long text is refused as fast as a short one', () => {
  expect(readCoordinates(`${'1'.repeat(5000)}°${' '.repeat(5000)}x`)).toBeUndefined()
})
