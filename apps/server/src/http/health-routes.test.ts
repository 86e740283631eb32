import { afterAll, describe, expect, test, vi } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../test/api-devices.ts'
import type { Config } from '../config.ts'
import { createTestApp, shareTestApp, type TestApp } from '../test/create-test-app.ts'
import { makeWebDir } from '../test/make-web-dir.ts'

const metricsToken = 'scr4pe-me'
const page = 'http://localhost:3000/explore'
const webDir = await makeWebDir({}, afterAll)
const open = { config: { metricsToken }, webDir }
const closed = { webDir }

async function setUp(config: Partial<Config> = { metricsToken }) {
  return withCalls(await createTestApp({ config, webDir }))
}

function withCalls(testApp: TestApp) {
  const { inject } = testApp
  return {
    ...testApp,
    read: (authorization = `Bearer ${metricsToken}`) =>
      inject({ url: '/metrics', headers: { authorization } }),
    reportLoaded: (payload: object | string, headers: Record<string, string> = {}) =>
      inject({
        method: 'POST',
        url: '/_spark/loaded',
        payload,
        headers: { 'content-type': 'application/json', ...headers },
      }),
  }
}

async function loadsOf({ read }: Pick<ReturnType<typeof withCalls>, 'read'>) {
  const found = /\nastropelago_page_load_seconds_count (\d+)\n/.exec((await read()).body)
  if (found === null) throw new Error('The number of loads is missing')
  return Number(found[1])
}

describe('/metrics', () => {
  test('answers callers with the token in the text format of Prometheus', async () => {
    const { read } = await setUp()
    const response = await read()
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(response.body).toContain('\nprocess_resident_memory_bytes ')
    expect(response.body).toContain('\nastropelago_page_load_seconds_count 0\n')
    expect((await read()).statusCode).toBe(200)
  })

  test.each([
    ['no', ''],
    ['a wrong', 'Bearer wrong'],
    ['a longer', `Bearer ${metricsToken}x`],
    ['a shorter', `Bearer ${metricsToken.slice(0, -1)}`],
    ['an empty', 'Bearer '],
    ['a token in capitals as', `Bearer ${metricsToken.toUpperCase()}`],
    ['a bare', metricsToken],
    ['an undefined', 'Bearer undefined'],
    ['a basic', `Basic ${Buffer.from(`:${metricsToken}`).toString('base64')}`],
  ])('with %s token is 404, as an unknown call is', async (_, authorization) => {
    const { read, inject } = withCalls(await shareTestApp(open))
    const { read: readClosed } = withCalls(await shareTestApp(closed))
    const unknown = await inject({ url: '/api/nothing' })
    for (const response of [await read(authorization), await readClosed(authorization)]) {
      expect(response.statusCode).toBe(404)
      expect(response.body).toBe(unknown.body)
      expect(response.headers).not.toHaveProperty('www-authenticate')
    }
  })

  test('without METRICS_TOKEN is closed to everybody', async () => {
    const { read } = withCalls(await shareTestApp(closed))
    expect((await read()).statusCode).toBe(404)
  })

  test('S20 takes no token from the address or a cookie, and logs none', async () => {
    const { inject, read, signUp, logged } = await setUp()
    const { cookies } = await signUp()
    const inQuery = await inject({ url: `/metrics?token=${metricsToken}` })
    const inCookies = Object.fromEntries(Object.keys(cookies).map((name) => [name, metricsToken]))
    expect(inQuery.statusCode).toBe(404)
    expect((await inject({ url: '/metrics', cookies: inCookies })).statusCode).toBe(404)
    await read()
    expect(logged()).toContain('/metrics')
    expect(logged()).not.toContain(metricsToken)
  })
})

test('counts flips by their new status', async () => {
  const { read, signUp, inject, clock } = await setUp({ metricsToken, onlineWindowMs: 500 })
  const flips = async () =>
    (await read()).body.split('\n').filter((line) => line.startsWith('astropelago_flips_total'))
  expect(await flips()).toEqual([
    'astropelago_flips_total{status="online"} 0',
    'astropelago_flips_total{status="offline"} 0',
  ])
  const owner = await signUp()
  for (const label of ['One', 'Other']) {
    const { token } = await createTestToken(owner, (await registerTestDevice(owner, { label })).id)
    await sendHeartbeat({ inject }, token)
  }
  expect(await flips()).toContain('astropelago_flips_total{status="online"} 2')
  clock.move(500)
  await vi.waitFor(async () => {
    expect(await flips()).toContain('astropelago_flips_total{status="offline"} 2')
  }, 10_000)
})

describe('the notice of a load', () => {
  test('is counted by its duration, for all senders', async () => {
    const { read, reportLoaded, signUp } = await setUp()
    const { cookies } = await signUp()
    const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
    for (const response of [
      await reportLoaded({ url: page, load_ms: 0 }),
      await reportLoaded({ url: page, load_ms: 240.5 }, { cookie: cookie.join('; ') }),
      await reportLoaded({ url: 'https://sky.example/?a=b#c', load_ms: 3_600_000 }),
    ]) {
      expect(response.statusCode).toBe(204)
      expect(response.body).toBe('')
    }
    const { body } = await read()
    const figures = body.split('\n').filter((line) => line.startsWith('astropelago_page_load'))
    expect(figures).toEqual([
      'astropelago_page_load_seconds_bucket{le="0.1"} 1',
      ...['0.25', '0.5', '1', '2.5', '5', '10', '30'].map(
        (le) => `astropelago_page_load_seconds_bucket{le="${le}"} 2`,
      ),
      'astropelago_page_load_seconds_bucket{le="+Inf"} 3',
      'astropelago_page_load_seconds_sum 3600.2405',
      'astropelago_page_load_seconds_count 3',
    ])
    expect(body).not.toContain('sky.example')
  })

  test('is counted by its own server alone', async () => {
    const [one, other] = [withCalls(await shareTestApp(open)), await setUp()]
    const before = await loadsOf(one)
    await one.reportLoaded({ url: page, load_ms: 5 })
    expect([await loadsOf(one), await loadsOf(other)]).toEqual([before + 1, 0])
  })

  test.each([
    ['no url', { load_ms: 5 }],
    ['a url that is none', { url: 'explore', load_ms: 5 }],
    ['a url that is no text', { url: 5, load_ms: 5 }],
    ['a url without end', { url: `${page}?${'x'.repeat(4096)}`, load_ms: 5 }],
    ['no time', { url: page }],
    ['a negative time', { url: page, load_ms: -1 }],
    ['a time past an hour', { url: page, load_ms: 3_600_001 }],
    ['a time past all numbers', `{"url":"${page}","load_ms":1e999}`],
    ['a time as text', { url: page, load_ms: '5' }],
    ['null for a time', { url: page, load_ms: null }],
    ['a field that is not known', { url: page, load_ms: 5, user: 'nova' }],
    ['an array', [{ url: page, load_ms: 5 }]],
    ['broken JSON', '{"url":'],
  ])('S24 S31 with %s is 400 and not counted', async (_, payload) => {
    const testApp = withCalls(await shareTestApp(open))
    const before = await loadsOf(testApp)
    const response = await testApp.reportLoaded(payload)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'invalid_input' })
    expect(await loadsOf(testApp)).toBe(before)
  })

  test('S15 S16 from another site or as text is refused', async () => {
    const testApp = withCalls(await shareTestApp(open))
    const { reportLoaded } = testApp
    const before = await loadsOf(testApp)
    const notice = { url: page, load_ms: 5 }
    const crossSite = await reportLoaded(notice, { 'sec-fetch-site': 'cross-site' })
    const asText = await reportLoaded(JSON.stringify(notice), { 'content-type': 'text/plain' })
    expect([crossSite.statusCode, asText.statusCode]).toEqual([403, 415])
    expect(await loadsOf(testApp)).toBe(before)
  })
})
