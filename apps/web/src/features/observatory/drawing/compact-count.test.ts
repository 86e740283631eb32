import { expect, test } from 'vitest'
import { compactCount } from './compact-count.ts'

test.each([
  [1, '1'],
  [999, '999'],
  [1000, '1k'],
  [1240, '1.2k'],
  [9949, '9.9k'],
  [9950, '10k'],
  [34_000, '34k'],
  [999_499, '999k'],
  [999_500, '1M'],
])('a count of %i is written %s', (count, text) => {
  expect(compactCount(count)).toBe(text)
})
