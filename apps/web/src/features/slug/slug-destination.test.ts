import { expect, test } from 'vitest'
import { slugDestination } from './slug-destination.ts'

const here = { protocol: 'https:', host: 'example.org', tavernUrl: undefined }

test.each(['thetravelerstavern', 'TheTravelersTavern', 'THETRAVELERSTAVERN'])(
  '%s leads to the subdomain of the page’s own host',
  (slug) => {
    expect(slugDestination(slug, here)).toBe('https://thetravelerstavern.example.org/')
  },
)

test('the port of the page is kept', () => {
  const local = { ...here, protocol: 'http:', host: 'localhost:3000' }
  expect(slugDestination('thetravelerstavern', local)).toBe(
    'http://thetravelerstavern.localhost:3000/',
  )
})

test('the build setting wins over the subdomain', () => {
  const built = { ...here, tavernUrl: 'https://tavern.example.net/hall' }
  expect(slugDestination('thetravelerstavern', built)).toBe('https://tavern.example.net/hall')
})

test('a build setting that is no web address leads nowhere', () => {
  const built = { ...here, tavernUrl: 'javascript:alert(1)' }
  expect(slugDestination('thetravelerstavern', built)).toBeUndefined()
})

test.each(['tavern', 'thetravelerstavern2', '', 'constructor'])('%j is unknown', (slug) => {
  expect(slugDestination(slug, here)).toBeUndefined()
})

test('an IP address has no subdomains', () => {
  expect(slugDestination('thetravelerstavern', { ...here, host: '127.0.0.1:3000' })).toBeUndefined()
})
