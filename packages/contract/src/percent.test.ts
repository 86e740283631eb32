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

test('another language writes it its own way', () => {
  const options = { language: 'de', under: (least: string) => `unter ${least}` }
  expect(percent(0.9931, options)).toBe('99,31\u00A0%')
  expect(percent(0.000_01, options)).toBe('unter 0,01\u00A0%')
})
