import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codePointLength, normalizeLongText, normalizeShortText } from './text.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 80 })

test('a length counts code points, not code units', () => {
  expect(codePointLength('🛰🛰')).toBe(2)
  expect(codePointLength('')).toBe(0)
})

test('S60 S29 a text is NFC, trimmed and without bidi controls', () => {
  expect(normalizeShortText('  Cafe\u0301 ')).toBe('Café')
  for (const control of '\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069') {
    expect(normalizeShortText(`a${control}b`)).toBe('ab')
  }
})

test('S29 blank space that bidi controls hid is trimmed too', () => {
  expect(normalizeShortText('\u202E \u202Ca\u202E \u202C')).toBe('a')
})

test('S29 a bidi control between a letter and its accent does not keep them from NFC', () => {
  expect(normalizeShortText('e\u202E\u0301')).toBe('é')
})

test.each(['a\0b', 'a\nb', 'a\tb', '\u007f', 'a\u0085b', '\ud800', 'a\udc00b'])(
  'S29 the text %j is refused',
  (text) => {
    expect(normalizeShortText(text)).toBeUndefined()
  },
)

test('S29 S47 a pile of marks is refused, and at once, however high', () => {
  expect(normalizeShortText(`a${'\u0301'.repeat(31)}`)).toBeDefined()
  expect(normalizeShortText(`a${'\u0301'.repeat(32)}`)).toBeUndefined()
  // If the reordering character stayed, it would split the pile in two.
  const parted = `a${'\u0301'.repeat(31)}\u202E${'\u0323'.repeat(31)}`
  expect(normalizeShortText(parted)).toBeUndefined()
  const startMs = performance.now()
  expect(normalizeLongText(`a${'\u0301\u0323'.repeat(500_000)}`)).toBeUndefined()
  expect(performance.now() - startMs).toBeLessThan(1000)
})

test('S29 what is kept holds no control character and no bidi control, and is kept again as it is', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const kept = normalizeShortText(text)
      fc.pre(kept !== undefined)
      expect(kept).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
      expect(kept).toBe(kept.normalize('NFC'))
      expect(normalizeShortText(kept)).toBe(kept)
    }),
  )
})

test.each([
  ['  a\r\nb\rc\u2028d \n\n\n\ne\n', 'a\nb\nc\nd\n\ne'],
  ['a\tb', 'a b'],
  ['\u202Ea\n\u2066b', 'a\nb'],
  ['a\n \u200B\nb', 'a\n\nb'],
  [' \n\u2800\n', ''],
])('S29 S60 a text of several lines %j is kept as %j', (text, kept) => {
  expect(normalizeLongText(text)).toBe(kept)
})

test.each(['a\0b', 'a\u001bb', '\ud800'])('S29 the text %j is refused in lines too', (text) => {
  expect(normalizeLongText(text)).toBeUndefined()
})
