import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodableUrl } from './decodable-url.ts'

test.each([
  ['/', '/'],
  ['/a%20b?c=%zz', '/a%20b?c=%zz'],
  ['/%zz', '/%25zz'],
  ['/%', '/%25'],
  ['/a%20%ff?b=%20', '/a%2520%25ff?b=%20'],
])('%s is taken as %s', (url, taken) => {
  expect(decodableUrl(url)).toBe(taken)
})

test('every path can be decoded afterwards', () => {
  const part = fc.constantFrom('%', '%2', '%2f', '%ff', '%e2%82', '%e2%82%ac', 'a', '/', '?')
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const [path = ''] = decodableUrl(parts.join('')).split('?', 1)
      expect(() => decodeURIComponent(path)).not.toThrow()
    }),
  )
})
