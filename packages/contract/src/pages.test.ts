import { expect, test } from 'vitest'
import { isPagePath, pages } from './pages.ts'

test.each([...Object.values(pages), '/thetravelerstavern', '/Some-Slug_7', '/explore/'])(
  '%s is a page',
  (path) => {
    expect(isPagePath(path)).toBe(true)
  },
)

test.each([
  '',
  '//',
  '/a/b',
  '/robots.txt',
  '/assets',
  '/assets/',
  '/api',
  '/_spark',
  '/healthz',
  '/readyz',
  '/metrics',
  `/${'a'.repeat(65)}`,
  '/%2e%2e',
  '/a b',
  '/explore\n',
])('%j is no page', (path) => {
  expect(isPagePath(path)).toBe(false)
})
