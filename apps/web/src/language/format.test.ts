import { expect, test } from 'vitest'
import { formatDecimal, formatList, formatNumber, formatPercent } from './format.ts'

test('numbers are written as in English', () => {
  expect(formatNumber(1234)).toBe('1,234')
  expect(formatDecimal(12.345)).toBe('12.3')
  expect(formatList(['a', 'b', 'c'])).toBe('a, b, and c')
})

test.each([
  [1, '100%'],
  [0.999999, '99.99%'],
  [0.5, '50%'],
  [0.99314, '99.31%'],
  [0.29, '29%'],
  [0.00001, 'under 0.01%'],
  [0, '0%'],
])('a share of %s is %s, rounded down', (share, text) => {
  expect(formatPercent(share)).toBe(text)
})
