import { describe, expect, test } from 'vitest'
import { contractRoutes } from '../test/contract-routes.ts'
import { createTestApp, type TestAppOptions } from '../test/create-test-app.ts'
import { makeWebDir } from '../test/make-web-dir.ts'

const proxy = '192.0.2.1'
const forwarded = (address: string) => ({ 'x-forwarded-for': address })

async function setUp(config: TestAppOptions['config'] = {}) {
  const { inject } = await createTestApp({ config: { limitExempt: [], ...config } })
  const from = async (remoteAddress: string, headers: Record<string, string> = {}) =>
    await inject({ url: '/api/me', remoteAddress, headers })
  const useUp = async (remoteAddress: string, headers: Record<string, string> = {}) => {
    for (let calls = 0; calls < 600; calls += 1) await from(remoteAddress, headers)
  }
  return { from, useUp }
}

describe('S33 an address has 600 calls a minute', () => {
  test('the next call is 429 with Retry-After; other addresses go on', async () => {
    const { from, useUp } = await setUp()
    await useUp('203.0.113.7')
    const limited = await from('203.0.113.7')
    expect(limited.statusCode).toBe(429)
    expect(limited.json()).toMatchObject({ code: 'rate_limited' })
    const retryAfterS = Number(limited.headers['retry-after'])
    expect(retryAfterS).toBeGreaterThan(0)
    expect(retryAfterS).toBeLessThanOrEqual(60)
    expect((await from('203.0.113.8')).statusCode).toBe(401)
  })

  test('S33 pages, the API’s description and unknown paths count; files of the build do not', async () => {
    const webDir = await makeWebDir()
    const { inject } = await createTestApp({ config: { limitExempt: [] }, webDir })
    const counted = ['/explore', '/api/openapi.json', '/api/docs/', '/api/nothing', '/no.txt']
    for (const [number, url] of counted.entries()) {
      const remoteAddress = `203.0.113.${number}`
      for (let calls = 1; calls < 600; calls += 1) await inject({ url: '/healthz', remoteAddress })
      await inject({ url, remoteAddress })
      expect((await inject({ url, remoteAddress })).statusCode).toBe(429)
      expect((await inject({ url: '/favicon.svg', remoteAddress })).statusCode).toBe(200)
    }
  })

  test('S33 past the limit, every call but a device’s gets a short refusal with Retry-After', async () => {
    const { inject } = await createTestApp({ config: { limitExempt: [] } })
    const remoteAddress = '203.0.113.7'
    for (let calls = 0; calls < 600; calls += 1) await inject({ url: '/healthz', remoteAddress })
    const limited = contractRoutes.filter(({ access }) => access !== 'device' && access !== 'agent')
    for (const { method, path: url } of limited) {
      const answer = await inject({ method, url, remoteAddress })
      expect([url, answer.statusCode, answer.json<object>()]).toMatchObject([
        url,
        429,
        { code: 'rate_limited' },
      ])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      expect(answer.rawPayload.length).toBeLessThan(200)
    }
  })

  test('a /64 of IPv6 counts as one address', async () => {
    const { from, useUp } = await setUp()
    await useUp('2001:db8:1:2::1')
    expect((await from('2001:db8:1:2:ffff::9')).statusCode).toBe(429)
    expect((await from('2001:db8:1:3::1')).statusCode).toBe(401)
  })

  test('LIMIT_EXEMPT lifts the limits for its addresses alone', async () => {
    const { from, useUp } = await setUp({ limitExempt: ['203.0.113.0/24', '2001:db8::/32'] })
    for (const exempt of ['203.0.113.7', '2001:db8::1']) {
      await useUp(exempt)
      expect((await from(exempt)).statusCode).toBe(401)
    }
    await useUp('198.51.100.7')
    expect((await from('198.51.100.7')).statusCode).toBe(429)
  })
})

describe('S34 X-Forwarded-For', () => {
  test('is ignored from any caller: it gives no fresh limit and no exemption', async () => {
    const { from, useUp } = await setUp({ limitExempt: ['127.0.0.1'] })
    await useUp(proxy)
    for (const claimed of ['203.0.113.7', '127.0.0.1', '::1']) {
      expect((await from(proxy, forwarded(claimed))).statusCode).toBe(429)
    }
  })

  test('from a trusted proxy distinguishes callers', async () => {
    const { from, useUp } = await setUp({ trustProxy: ['192.0.2.0/24'] })
    await useUp(proxy, forwarded('203.0.113.7'))
    expect((await from(proxy, forwarded('203.0.113.7'))).statusCode).toBe(429)
    expect((await from(proxy, forwarded('203.0.113.8'))).statusCode).toBe(401)
    // The proxy adds what it saw at the end: what the caller wrote before it counts for nothing.
    expect((await from(proxy, forwarded('203.0.113.9, 203.0.113.7'))).statusCode).toBe(429)
  })

  test('from a stranger is ignored even if a proxy is trusted', async () => {
    const { from, useUp } = await setUp({ trustProxy: ['192.0.2.0/24'] })
    await useUp('198.51.100.7')
    expect((await from('198.51.100.7', forwarded('203.0.113.8'))).statusCode).toBe(429)
  })
})
