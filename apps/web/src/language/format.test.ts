import { expect, test } from 'vitest'
import { formatDecimal, formatList, formatNumber, formatPercent } from './format.ts'

test('numbers are written as in English', () => {
  expect(formatNumber(1234)).toBe('1,234')
  expect(formatDecimal(12.345)).toBe('12.3')
  expect(formatList(['a', 'b', 'c'])).toBe('a, b, and c')
})

test('a share is written with its words', () => {
  expect(formatPercent(0.99314)).toBe('99.31%')
  expect(formatPercent(0.000_01)).toBe('under 0.01%')
})
