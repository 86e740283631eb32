import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitAtLinks } from './linked-text.tsx'

const textsOf = (text: string) => splitAtLinks(text).map((part) => part.text)

test.each([
  ['No link.', ['No link.']],
  ['', []],
  ['https://a.example', ['https://a.example']],
  [
    'See https://a.example/b?c=d#e, or http://f.example.',
    ['See ', 'https://a.example/b?c=d#e', ', or ', 'http://f.example', '.'],
  ],
  ['(https://a.example)', ['(', 'https://a.example', ')']],
  ['javascript:alert(1) ftp://a.example', ['javascript:alert(1) ftp://a.example']],
])('%j is split as %j', (text, parts) => {
  expect(textsOf(text)).toEqual(parts)
})

test('joined, the parts are the text, and each has its offset', () => {
  const word = fc.constantFrom('https://a.example', 'http://', ' ', '.', 'a', '(', '\n')
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const text = words.join('')
      const parts = splitAtLinks(text)
      expect(parts.map((part) => part.text).join('')).toBe(text)
      for (const part of parts) expect(text.startsWith(part.text, part.at)).toBe(true)
    }),
  )
})
