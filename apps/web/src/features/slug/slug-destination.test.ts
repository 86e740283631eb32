import { expect, test } from 'vitest'
import { slugDestination } from './slug-destination.ts'

const here = { protocol: 'https:', host: 'example.org', tavernUrl: undefined }

test.each(['thetravelerstavern', 'TheTravelersTavern', 'THETRAVELERSTAVERN'])(
  '%s leads to the subdomain of the page’s own host',
  (slug) => {
    expect(slugDestination(slug, here)).toEqual({
      kind: 'outside',
      address: 'https://thetravelerstavern.example.org/',
    })
  },
)

test('the port of the page is kept', () => {
  const local = { ...here, protocol: 'http:', host: 'localhost:3000' }
  expect(slugDestination('thetravelerstavern', local)).toEqual({
    kind: 'outside',
    address: 'http://thetravelerstavern.localhost:3000/',
  })
})

test('the build setting wins over the subdomain', () => {
  const built = { ...here, tavernUrl: 'https://tavern.example.net/hall' }
  expect(slugDestination('thetravelerstavern', built)).toEqual({
    kind: 'outside',
    address: 'https://tavern.example.net/hall',
  })
})

test('a build setting that is no web address leads nowhere', () => {
  const built = { ...here, tavernUrl: 'javascript:alert(1)' }
  expect(slugDestination('thetravelerstavern', built)).toEqual({ kind: 'unknown' })
})

test.each(['tavern', 'thetravelerstavern2', '', 'constructor'])('%j is unknown', (slug) => {
  expect(slugDestination(slug, here)).toEqual({ kind: 'unknown' })
})

test.each(['127.0.0.1:3000', '192.168.1.20', '[::1]:3000', '[2001:db8::1]'])(
  'the IP address %s has no subdomains',
  (host) => {
    expect(slugDestination('thetravelerstavern', { ...here, host })).toEqual({
      kind: 'no-subdomains',
    })
  },
)

test('the build setting leads away from an IP address too', () => {
  const built = { ...here, host: '127.0.0.1:3000', tavernUrl: 'https://tavern.example.net/' }
  expect(slugDestination('thetravelerstavern', built)).toEqual({
    kind: 'outside',
    address: 'https://tavern.example.net/',
  })
})

test('an unknown slug is unknown on an IP address too', () => {
  expect(slugDestination('tavern', { ...here, host: '127.0.0.1' })).toEqual({ kind: 'unknown' })
})
