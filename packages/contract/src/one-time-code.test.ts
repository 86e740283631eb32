import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeAlphabet, codeLength, formatCode, readCode } from './one-time-code.ts'

const code = fc.string({
  unit: fc.constantFrom(...Array.from(codeAlphabet)),
  minLength: codeLength,
  maxLength: codeLength,
})

test('a code is read from what people see of it, however they type it', () => {
  fc.assert(
    fc.property(code, (bare) => {
      const shown = formatCode(bare)
      expect(shown).toMatch(/^(?:[0-9A-Z]{5}-){4}[0-9A-Z]{5}$/)
      for (const typed of [bare, shown, shown.toLowerCase(), ` ${shown.replaceAll('-', ' ')}\n`]) {
        expect(readCode(typed)).toBe(bare)
      }
      expect(readCode(`https://sky.example/reset-password#${shown}`)).toBe(bare)
    }),
  )
})

test('letters that look like digits count as those', () => {
  expect(readCode('oO0iI-lL11A-00000-00000-00000')).toBe('000111111A000000000000000')
})

test.each([
  '',
  '-',
  'A'.repeat(24),
  'A'.repeat(26),
  'U'.repeat(25),
  'é'.repeat(25),
  '🛰'.repeat(25),
])('%j is no code', (text) => {
  expect(readCode(text)).toBeUndefined()
})
