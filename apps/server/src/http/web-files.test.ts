import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestApp, shareTestApp } from '../test/create-test-app.ts'
import { makeWebDir } from '../test/make-web-dir.ts'

const publicUrl = 'https://sky.example'
const webDir = await makeWebDir({}, afterAll)
const options = { webDir, config: { publicUrl } }

/** The nonces of a page: those in its HTML and the one that its policy allows. */
function noncesOf({ body, headers }: { body: string; headers: Record<string, unknown> }) {
  const [, allowed = ''] = /script-src 'self' 'nonce-([^']+)'/.exec(
    String(headers['content-security-policy']),
  ) ?? ['', '']
  return { allowed, used: [...body.matchAll(/nonce="([^"]*)"/g)].map(([, nonce]) => nonce) }
}

describe('pages', () => {
  test.each([
    ['/', 200],
    ['/explore', 200],
    ['/explore?signin=1', 200],
    ['/account/', 200],
    ['/foo.bar', 200],
    ['/foo.bar?a=/b.c', 200],
    ['/%24', 200],
    ['/a+b', 200],
    ['/%zz', 200],
    ['/%00', 200],
    ['/index.html', 200],
    ['/a/b', 404],
    ['/foo.bar/b', 404],
  ])('%s is HTML with %d', async (url, status) => {
    const { inject } = await shareTestApp(options)
    const response = await inject({ url })
    expect(response.statusCode).toBe(status)
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.body).toContain('<title>')
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['location']).toBeUndefined()
    expect(response.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(response.headers['x-content-type-options']).toBe('nosniff')
  })

  test('S25 each answer has its own nonce, which its policy allows', async () => {
    const { inject } = await shareTestApp(options)
    const pages = [await inject({ url: '/' }), await inject({ url: '/' })].map(noncesOf)
    for (const { allowed, used } of pages) {
      expect(Buffer.from(allowed, 'base64')).toHaveLength(16)
      expect(used).toEqual([allowed, allowed])
    }
    expect(pages[0]?.allowed).not.toBe(pages[1]?.allowed)
  })

  test('S61 without PUBLIC_URL, a page uses the name that it was opened by if that is private', async () => {
    const { inject } = await createTestApp({ webDir, config: { hasPublicUrl: false } })
    const canonicalAt = async (host: string) =>
      /href="(.*)\/"/.exec((await inject({ url: '/', headers: { host } })).body)?.[1]
    expect(await canonicalAt('pi.lan:3000')).toBe('http://pi.lan:3000')
    expect(await canonicalAt('rebound.example')).toBe('http://localhost:3000')
  })

  test.each([
    ['prototype-relay', { stage: 'prototype' }],
    ['live', { stage: 'live', relayDomain: undefined }],
  ] as const)('say that the site is %s', async (site, config) => {
    const { inject } = await createTestApp({ webDir, config })
    for (const url of ['/', '/account']) {
      expect((await inject({ url })).body).toContain(
        `<html lang="en" data-site="${site}" data-links="[]" data-name="Astropelago" data-logo="/logo.svg">`,
      )
    }
  })

  test('link to the operator’s own pages', async () => {
    const siteLinks = [{ name: 'Imprint', href: 'https://a.example/?a=1&b="2"' }]
    const { inject } = await createTestApp({ webDir, config: { siteLinks } })
    expect((await inject({ url: '/' })).body).toContain(
      'data-links="[{&quot;name&quot;:&quot;Imprint&quot;,&quot;href&quot;:&quot;https://a.example/?a=1&amp;b=\\&quot;2\\&quot;&quot;}]"',
    )
  })

  test('canonical links use PUBLIC_URL, whatever the Host', async () => {
    const { inject } = await shareTestApp(options)
    for (const host of ['localhost', 'evil.example']) {
      const { body } = await inject({ url: '/', headers: { host, 'x-forwarded-host': host } })
      expect(body).toContain('<link rel="canonical" href="https://sky.example/">')
      expect(body).not.toContain('evil.example')
    }
  })

  test.each(['POST', 'PUT', 'DELETE'] as const)('%s to a page is a plain 404', async (method) => {
    const { inject } = await shareTestApp(options)
    const response = await inject({ method, url: '/explore' })
    expect(response.statusCode).toBe(404)
    expect(response.headers['content-type']).toBe('text/plain')
  })
})

describe('files', () => {
  test('hashed assets may be cached for ever, other files for an hour', async () => {
    const { inject } = await shareTestApp(options)
    const asset = await inject({ url: '/assets/main-abc123.js' })
    expect(asset.statusCode).toBe(200)
    expect(asset.body).toBe('export {}')
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const picture = await inject({ url: '/favicon.svg' })
    expect(picture.statusCode).toBe(200)
    expect(picture.headers['cache-control']).toBe('public, max-age=3600')
  })

  test("S25 a worker may call its own server; any other file's policy allows nothing", async () => {
    const { inject } = await shareTestApp(options)
    const policyOf = async (url: string, encoding: string) => {
      const { headers } = await inject({ url, headers: { 'accept-encoding': encoding } })
      return headers['content-security-policy']
    }
    for (const encoding of ['identity', 'br', 'gzip']) {
      expect(await policyOf('/assets/main-abc123.js', encoding)).toBe(
        "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'",
      )
      expect(await policyOf('/favicon.svg', encoding)).toBe(
        "default-src 'none';frame-ancestors 'none'",
      )
    }
  })

  test('S25 the worker for pushed messages is revalidated each time and may call nothing', async () => {
    const { inject } = await shareTestApp(options)
    const { statusCode, headers } = await inject({ url: '/push-worker.js' })
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('application/javascript; charset=utf-8')
    expect(headers['cache-control']).toBe('no-cache')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; img-src 'self'; frame-ancestors 'none'",
    )
  })

  test('a file that the browser has is not sent again', async () => {
    const { inject } = await shareTestApp(options)
    const url = '/assets/main-abc123.js'
    const { headers } = await inject({ url })
    const ifNoneMatch = String(headers['etag'])
    const response = await inject({ url, headers: { 'if-none-match': ifNoneMatch } })
    expect(response.statusCode).toBe(304)
    expect(response.body).toBe('')
  })

  test.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
  ])('a browser that accepts %s gets a file as %s', async (accepted, encoding, decompress) => {
    const { inject } = await shareTestApp(options)
    const headers = { 'accept-encoding': accepted }
    const response = await inject({ url: '/assets/main-abc123.js', headers })
    expect(response.headers['content-encoding']).toBe(encoding)
    expect(response.headers['content-type']).toBe('application/javascript; charset=utf-8')
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(String(response.headers['vary'])).toMatch(/accept-encoding/i)
    expect(decompress(response.rawPayload).toString()).toBe('export {}')
  })

  test.each([
    '/assets/missing.js',
    '/assets/missing',
    '/assets',
    '/assets/',
    '/healthz/',
    '/a/b.map',
    '/pages/landing.html',
    '/.vite/manifest.json',
  ])('a missing %s is a plain 404 that is not cached', async (url) => {
    const { inject } = await shareTestApp(options)
    const response = await inject({ url })
    expect(response.statusCode).toBe(404)
    expect(response.headers['content-type']).toBe('text/plain')
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.body).toBe('Not found')
  })

  test('S36 no encoded path reaches a file outside the build', async () => {
    const { app } = await shareTestApp(options)
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = new URL(address)
    const climbs = ['../secret.txt', '..%2fsecret.txt', '%2e%2e/secret.txt', '..%5csecret.txt']
    const before = ['/', '//', '/assets/', '/assets/../', '/assets/%2e%2e/', '/./', '/%2f', '/%00']
    const twice = [
      '/..%252fsecret.txt',
      '/assets/..%252f..%252fsecret.txt',
      '/%2e%2e%2fsecret.txt%00',
    ]
    const paths = [...before.flatMap((start) => climbs.map((climb) => start + climb)), ...twice]
    for (const path of paths) {
      const answer = await sendRaw(Number(port), `GET ${path} HTTP/1.1`)
      // One segment may be a slug, whatever is in it: then this is the app.
      const isApp = answer.startsWith('HTTP/1.1 200 ') && answer.includes('<title>Astropelago<')
      expect(isApp || /^HTTP\/1\.1 40[04] /.test(answer)).toBe(true)
      expect(answer).not.toContain('top secret')
    }
  })
})

test.each(['/api', '/api/', '/api/nowhere', '/api/devices/a/b/c', '/_spark/nowhere'])(
  'the unknown call %s is 404 in JSON, in every method',
  async (url) => {
    const { inject } = await shareTestApp(options)
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const) {
      const response = await inject({ method, url })
      expect(response.statusCode).toBe(404)
      expect(response.json()).toMatchObject({ code: 'not_found' })
    }
  },
)

test.each([
  ['/', 200],
  ['/a/b', 404],
  ['/assets/main-abc123.js', 200],
  ['/assets/missing.js', 404],
  ['/foo.bar', 200],
  ['/api/devices', 200],
  ['/healthz', 200],
])('HEAD %s has the status and length of GET, without the body', async (url, status) => {
  const { inject } = await shareTestApp(options)
  const [head, get] = [await inject({ method: 'HEAD', url }), await inject({ url })]
  expect(head.statusCode).toBe(status)
  expect(head.body).toBe('')
  for (const name of ['content-type', 'content-length', 'cache-control']) {
    expect(head.headers[name]).toBe(get.headers[name])
  }
})

/** Sends a path as it is: `inject` and `fetch` would tidy it up first. */
async function sendRaw(port: number, requestLine: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${requestLine}\r\nHost: sky.example\r\nConnection: close\r\n\r\n`)
  return await text(socket)
}
