import { expect, test } from 'vitest'
import { formatCoordinate } from './format-coordinate.ts'

test.each([
  [48.208_17, '48.208'],
  [-16, '-16.000'],
  [0, '0.000'],
  [-0.0001, '0.000'],
  [-0.001, '-0.001'],
  [179.9999, '180.000'],
])('%d reads %s', (deg, text) => {
  expect(formatCoordinate(deg)).toBe(text)
})
