import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pages, pathKind } from './pages.ts'

test.each([
  ...Object.values(pages),
  '/explore/',
  '/explore//',
  '//',
  '/thetravelerstavern',
  '/Some-Slug_7',
  '/islands/harbour-tales',
  '/islands/harbour-tales/settings',
  '/islands/harbour-tales/settings/door',
  '/islands/harbour-tales/enter',
  '/islands/harbour-tales/editor',
  '/account/alerts',
  '/account/alerts/',
  '/discover/islands',
  '/mothership/users',
  '/islands/harbour-tales/',
  '/devices/0190a1b2-c3d4',
  '/devices/0190a1b2-c3d4/',
  '/foo.bar',
  '/index.html',
  '/.env',
  '/%24',
  '/a+b',
  '/@nova',
  '/%F0%9F%9B%B0/',
  '/a%2Fb',
  '/%zz',
  '/API',
  '/library/nginx',
  '/library/first-device/',
  '/api.json',
  `/${'a'.repeat(200)}`,
])('%s is a page', (path) => {
  expect(pathKind(path)).toBe('page')
})

test.each([
  '/api',
  '/api/',
  '/api/nowhere',
  '/_spark',
  '/_spark/kv/a/b',
  '/assets',
  '/assets/',
  '/assets/missing.js',
  '/healthz/',
  '/readyz',
  '/metrics/x',
])('%s is the server’s own', (path) => {
  expect(pathKind(path)).toBe('server')
})

test.each([
  '',
  '//explore',
  '//a.example',
  '/a/b',
  '/library/a/b',
  '/library/../x',
  '/a//b',
  '/a/b.map',
  '/islands/harbour-tales/log',
  '/islands//settings',
  '/islands/harbour-tales/settings/cellar',
  '/account/nowhere',
  '/mothership/users/nova',
  '/devices/a/b',
  '/.well-known/x',
  'explore',
  '*',
])('%j is neither', (path) => {
  expect(pathKind(path)).toBe('unknown')
})

test('every slug that an address can carry is a page, with a slash behind it too', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const slug = encodeURIComponent(text.toWellFormed())
      fc.pre(pathKind(`/${slug}`) !== 'server')
      expect(pathKind(`/${slug}`)).toBe('page')
      expect(pathKind(`/${slug}/`)).toBe('page')
    }),
  )
})
