import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loggedPath, requestUrl } from './http-server.ts'

test.each([
  ['/', '/'],
  ['/a%20b?c=%zz', '/a%20b?c=%zz'],
  ['/%zz', '/%25zz'],
  ['/%', '/%25'],
  ['/a%20%ff?b=%20', '/a%2520%25ff?b=%20'],
  ['/a%00', '/a%2500'],
  ['/_spark/kv/%00', '/_spark/kv/%00'],
  ['/api/devices/?a=/', '/api/devices?a=/'],
  ['/api/docs/', '/api/docs/'],
  ['/_spark/kv/', '/_spark/kv/'],
])('%s is taken as %s', (url, taken) => {
  expect(requestUrl(url)).toBe(taken)
})

test('every path can be decoded afterwards', () => {
  const part = fc.constantFrom('%', '%2', '%2f', '%ff', '%e2%82', '%e2%82%ac', 'a', '/', '?')
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const [path = ''] = requestUrl(parts.join('')).split('?', 1)
      expect(() => decodeURIComponent(path)).not.toThrow()
    }),
  )
})

test.each([
  ['/ping/5bf66975/fail?a=b', '/ping/***/fail'],
  ['/PING//secret', '/PING//***'],
  ['/api/push/secret/', '/api/push/***/'],
  ['/api/push', '/api/push'],
  ['/a/ping/b', '/a/ping/b'],
])('S20 %s is logged as %s', (url, logged) => {
  expect(loggedPath(url)).toBe(logged)
})
