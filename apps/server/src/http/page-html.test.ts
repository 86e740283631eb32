import { gunzipSync } from 'node:zlib'
import { languageCookie } from '@astropelago/contract/languages'
import { hintCookie } from '@astropelago/contract/me'
import { afterAll, expect, test } from 'vitest'
import { shareTestApp } from '../test/create-test-app.ts'
import { makeWebDir } from '../test/make-web-dir.ts'

const options = { webDir: await makeWebDir({}, afterAll) }

test.each(['/', '/explore'])('a visitor gets the prerendered %s', async (url) => {
  const { inject } = await shareTestApp(options)
  const response = await inject({ url })
  expect(response.statusCode).toBe(200)
  expect(response.body).toContain(`<title>${url}</title>`)
})

test.each(['/', '/explore'])(
  'a user who may be signed in gets %s without the parts for visitors',
  async (url) => {
    const { inject } = await shareTestApp(options)
    const response = await inject({ url, cookies: { [hintCookie]: '1' } })
    expect(response.body).toContain('<title>Astropelago</title>')
    expect(response.headers.vary).toContain('cookie')
  },
)

test('S25 a prerendered page has the nonce of its own policy, a new one each time', async () => {
  const { inject } = await shareTestApp(options)
  const nonces = new Set<string>()
  for (let visits = 0; visits < 3; visits += 1) {
    const { body, headers } = await inject({ url: '/explore' })
    const [, nonce = ''] = /nonce="([^"]+)"/.exec(body) ?? []
    expect(headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
    nonces.add(nonce)
  }
  expect(nonces.size).toBe(3)
})

test.each([
  { header: undefined, cookie: undefined, language: 'en' },
  { header: 'de-AT,de;q=0.9,en;q=0.8', cookie: undefined, language: 'de' },
  { header: 'fr,en;q=0.3,de;q=0.4', cookie: undefined, language: 'de' },
  { header: 'de;q=0,fr', cookie: undefined, language: 'en' },
  { header: 'dev', cookie: undefined, language: 'en' },
  { header: 'de', cookie: 'en', language: 'en' },
  { header: 'en', cookie: 'de', language: 'de' },
  { header: 'de', cookie: '../secret', language: 'de' },
])('for $header and the cookie $cookie, pages are in $language', async (wish) => {
  const { inject } = await shareTestApp(options)
  for (const url of ['/', '/observatory']) {
    const { body, headers } = await inject({
      url,
      headers: wish.header === undefined ? {} : { 'accept-language': wish.header },
      cookies: wish.cookie === undefined ? {} : { [languageCookie]: wish.cookie },
    })
    expect(body).toContain(`<html lang="${wish.language}"`)
    expect(headers.vary).toContain('accept-language')
  }
})

test('pages are compressed for browsers that take gzip', async () => {
  const { inject } = await shareTestApp(options)
  const response = await inject({ url: '/', headers: { 'accept-encoding': 'gzip, br' } })
  expect(response.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(response.rawPayload).toString()).toContain('<title>/</title>')
})

test('the files behind pages are not served as pages', async () => {
  const { inject } = await shareTestApp(options)
  for (const url of ['/pages/en/app.html', '/.vite/manifest.json']) {
    expect((await inject({ url })).statusCode).toBe(404)
  }
  // As good as any other slug.
  expect((await inject({ url: '/index.html' })).body).not.toContain('ASTROPELAGO_NONCE')
})
