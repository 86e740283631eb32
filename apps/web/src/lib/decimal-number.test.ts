import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalNumber } from './decimal-number.ts'

test.each([
  ['48.2', 48.2],
  ['  -16.37 ', -16.37],
  ['+7', 7],
  ['.5', 0.5],
  ['1e2', 100],
  ['-200', -200],
])('%j is %d: there are no bounds', (text, value) => {
  expect(decimalNumber(text)).toBe(value)
})

test.each(['', '   ', '0x1F', '0b1', '0o7', '48,2', '48.2°', '1_000', 'NaN', 'Infinity', '1e999'])(
  '%j is no number',
  (text) => {
    expect(decimalNumber(text)).toBeUndefined()
  },
)

test('every finite number is read back as it was written', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(decimalNumber(String(value))).toBe(value === 0 ? 0 : value)
    }),
  )
})
