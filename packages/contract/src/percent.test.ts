import { expect, test } from 'vitest'
import { percent } from './percent.ts'

test.each([
  [1, '100%'],
  [0.999_999, '99.99%'],
  [0.995, '99.50%'],
  [0.5, '50%'],
  [0.29, '29%'],
  [0.000_01, 'under 0.01%'],
  [0, '0%'],
])('a share of %d is %s', (share, text) => {
  expect(percent(share)).toBe(text)
})
