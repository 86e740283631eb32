import { expect, test } from 'vitest'
import { contractRoutes } from '../test/contract-routes.ts'
import { createTestApp } from '../test/create-test-app.ts'
import { makeWebDir } from '../test/make-web-dir.ts'

const evil = 'https://evil.example/'
const names = ['next', 'url', 'to', 'return', 'returnTo', 'redirect', 'redirect_uri', 'continue']
const query = new URLSearchParams(names.map((name) => [name, evil])).toString()

/** A page that is opened by itself, as logging out does. */
const navigation = {
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}
const headers = {
  host: 'evil.example',
  referer: evil,
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'https',
  'x-original-url': evil,
  forwarded: 'host=evil.example',
}

const pages = [
  '/',
  '//evil.example',
  '//evil.example/..',
  '/\\evil.example',
  '/%5cevil.example',
  '/%2f%2fevil.example',
  '/https:/evil.example',
  '/explore/',
  '/explore//evil.example',
  '/.//evil.example',
  '/assets',
  '/api/docs',
  '/api//evil.example',
]

test('S28 no input of a request decides where an answer redirects', async () => {
  const { inject } = await createTestApp({ webDir: await makeWebDir() })
  const paths = [
    ...pages,
    // Without an end a feed would be waited for.
    ...contractRoutes.filter(({ method }) => method === 'GET').map(({ path }) => path),
  ].filter((path) => path !== '/api/devices/stream')
  const places: unknown[] = []
  for (const path of paths) {
    for (const more of [{}, headers, { ...headers, ...navigation }]) {
      const answer = await inject({ url: `${path}?${query}`, headers: more })
      places.push(answer.headers['location'], answer.headers['refresh'])
    }
  }
  expect(new Set(places)).toEqual(new Set([undefined, '/']))
})
