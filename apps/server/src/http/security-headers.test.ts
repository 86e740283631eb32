import type { BuildSettings } from '@astropelago/contract/build-settings'
import type { InjectOptions } from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestApp, shareTestApp, type TestApp } from '../test/create-test-app.ts'
import { makeWebDir } from '../test/make-web-dir.ts'

const json = 'application/json; charset=utf-8'

/** One request for each kind of answer, with its status and exact content type. */
const answers: readonly [string, InjectOptions, number, string | undefined][] = [
  ['a page', { url: '/' }, 200, 'text/html; charset=utf-8'],
  ['a missing page', { url: '/a/b' }, 404, 'text/html; charset=utf-8'],
  ['a script', { url: '/assets/main-abc123.js' }, 200, 'application/javascript; charset=utf-8'],
  ['a picture', { url: '/favicon.svg' }, 200, 'image/svg+xml'],
  ['a missing asset', { url: '/assets/missing.js' }, 404, 'text/plain'],
  ['an address that can’t be decoded', { url: '/%zz' }, 200, 'text/html; charset=utf-8'],
  ['an address with a dot', { url: '/foo.bar' }, 200, 'text/html; charset=utf-8'],
  ['an address that is none', { url: '/a/b' }, 404, 'text/html; charset=utf-8'],
  ['JSON', { url: '/healthz' }, 200, json],
  ['the public list', { url: '/api/devices' }, 200, json],
  [
    'a list that is known',
    { url: '/api/devices', headers: { 'if-none-match': '*' } },
    304,
    undefined,
  ],
  ['no content', { url: '/api/auth/logout' }, 204, undefined],
  ['signed out', { url: '/api/me' }, 401, json],
  ['a bad device token', { method: 'POST', url: '/api/devices/heartbeat-token' }, 401, json],
  ['an unknown call', { url: '/api/nowhere' }, 404, json],
  ['a call that can’t be decoded', { url: '/api/devices/%ff' }, 404, json],
  ['an unknown method', { method: 'PUT', url: '/api/devices' }, 404, json],
  ['bad input', { method: 'POST', url: '/api/auth/register', payload: {} }, 400, json],
  ['another site', { method: 'POST', url: '/api/auth/demo', headers: { origin: 'x' } }, 403, json],
  ['the OpenAPI document', { url: '/api/openapi.json' }, 200, json],
  ['the API’s documentation', { url: '/api/docs' }, 200, 'text/html; charset=utf-8'],
]

const webDir = await makeWebDir({}, afterAll)
const local = { webDir, config: { publicUrl: 'http://localhost:3000' } }

test('S26 every kind of answer has the security headers and an exact content type', async () => {
  const { inject } = await shareTestApp(local)
  for (const [name, request, statusCode, contentType] of answers) {
    const { headers, ...response } = await inject(request)
    const policy = String(headers['content-security-policy'])
    expect({
      name,
      statusCode: response.statusCode,
      contentType: headers['content-type'],
      sniffing: headers['x-content-type-options'],
      referrer: headers['referrer-policy'],
      framing: headers['x-frame-options'],
      hsts: headers['strict-transport-security'],
      poweredBy: headers['x-powered-by'],
      isFramable: !policy.includes("frame-ancestors 'none'"),
      isUnsafe: /unsafe-(inline|eval)|\*|http:(?!\/\/preview\.)/.test(policy),
    }).toEqual({
      name,
      statusCode,
      contentType,
      sniffing: 'nosniff',
      referrer: 'same-origin',
      framing: 'DENY',
      hsts: undefined,
      poweredBy: undefined,
      isFramable: false,
      isUnsafe: false,
    })
  }
})

test('S26 over https, every answer has HSTS for this host alone', async () => {
  const { inject } = await createTestApp({ webDir, config: { publicUrl: 'https://sky.example' } })
  for (const [name, request] of answers) {
    const { headers } = await inject(request)
    expect([name, headers['strict-transport-security']]).toEqual([name, 'max-age=31536000'])
  }
})

test('S69 over https, no page that opened a window of the site can do anything to it', async () => {
  const { inject } = await createTestApp({ webDir, config: { publicUrl: 'https://sky.example' } })
  const { headers } = await inject({ url: '/islands/harbor-light/enter?ask=1' })
  expect(headers['cross-origin-opener-policy']).toBe('same-origin')
})

async function policyOf(build: Partial<BuildSettings>, config = local.config) {
  return await pagePolicy(await createTestApp({ webDir: await makeWebDir(build), config }))
}

async function pagePolicy({ inject }: Pick<TestApp, 'inject'>) {
  const { headers, body } = await inject({ url: '/' })
  const [, nonce = ''] = /nonce="([^"]+)"/.exec(body) ?? []
  return { headers, nonce, directives: String(headers['content-security-policy']).split('; ') }
}

describe('S25 the policy', () => {
  test('of a page allows its own files and its nonce, and nothing else', async () => {
    const { directives, nonce } = await pagePolicy(await shareTestApp(local))
    expect(directives).toEqual([
      "default-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      `script-src 'self' 'nonce-${nonce}'`,
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "connect-src 'self'",
      // The editor of an island's pages shows drafts there.
      "frame-src 'self' http://preview.localhost:3000",
    ])
  })

  test('of a server that hosts no pages has no frames of drafts', async () => {
    const { directives } = await pagePolicy(
      await createTestApp({ webDir, config: { hostsPages: false } }),
    )
    expect(directives).toContain("frame-src 'self'")
  })

  test('of a build with a device update URL allows calls to its host too', async () => {
    const { directives } = await policyOf({ deviceUpdateOrigin: 'https://hook.example:8443' })
    const other = await pagePolicy(await shareTestApp(local))
    expect(directives).toContain("connect-src 'self' https://hook.example:8443")
    expect(directives).toHaveLength(other.directives.length)
  })

  test("of a build with the WebSocket feed names its address, since 'self' is HTTP alone in older browsers", async () => {
    const { directives } = await policyOf(
      { live: 'websocket' },
      { publicUrl: 'https://sky.example' },
    )
    expect(directives).toContain("connect-src 'self' wss://sky.example")
  })

  test('of a build with a maps key is the service’s strict policy plus ours', async () => {
    const { directives, nonce, headers } = await policyOf({
      hasMapsKey: true,
      deviceUpdateOrigin: 'https://hook.example',
    })
    expect(directives).toEqual([
      "default-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      `script-src 'nonce-${nonce}' 'strict-dynamic' https: 'unsafe-eval' blob:`,
      `style-src 'self' 'nonce-${nonce}' https://fonts.googleapis.com`,
      "font-src 'self' https://fonts.gstatic.com",
      "img-src 'self' https://*.googleapis.com https://*.gstatic.com *.google.com *.googleusercontent.com data:",
      'frame-src *.google.com http://preview.localhost:3000',
      "connect-src 'self' https://*.googleapis.com *.google.com https://*.gstatic.com data: blob: https://hook.example",
      "worker-src 'self' blob:",
    ])
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
  })

  test('of every other answer allows nothing', async () => {
    const { inject } = await shareTestApp(local)
    for (const url of ['/api/devices', '/api/nowhere', '/assets/missing.js', '/favicon.svg']) {
      const { headers } = await inject({ url })
      expect(headers['content-security-policy']).toBe("default-src 'none';frame-ancestors 'none'")
    }
  })
})
