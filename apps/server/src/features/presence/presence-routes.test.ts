import { request } from 'node:http'
import { bodyMaxBytes } from '@astropelago/contract/limits'
import type { InjectOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import {
  createTestToken,
  listOwnDevices,
  registerTestDevice,
  sendHeartbeat,
} from '../../test/api-devices.ts'
import { createTestApp, type TestAppOptions } from '../../test/create-test-app.ts'
import { makeToken } from '../../secret-token.ts'

const windowMs = 300_000

async function setUp(options?: TestAppOptions) {
  const testApp = await createTestApp(options)
  const owner = await testApp.signUp()
  const device = await registerTestDevice(owner)
  const { token } = await createTestToken(owner, device.id)
  const byToken = (rest: InjectOptions = {}) =>
    testApp.inject({
      method: 'POST',
      url: '/api/devices/heartbeat-token',
      headers: { authorization: `Bearer ${token}`, ...rest.headers },
      ...(rest.payload !== undefined && { payload: rest.payload }),
    })
  const status = async () => (await listOwnDevices(owner)).map((own) => own.status)
  return { ...testApp, owner, device, token, byToken, status }
}

describe('a heartbeat by device token', () => {
  test.each([
    ['no body and no content type', {}],
    ['JSON', { payload: '{"a":1}', headers: { 'content-type': 'application/json' } }],
    ['broken JSON', { payload: '{', headers: { 'content-type': 'application/json' } }],
    ['an empty body that claims to be JSON', { headers: { 'content-type': 'application/json' } }],
    [
      'a form',
      { payload: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['plain text', { payload: 'alive', headers: { 'content-type': 'text/plain' } }],
    ['a body without a content type', { payload: Buffer.from('alive') }],
    ['a content type that is none', { payload: 'x', headers: { 'content-type': 'nonsense' } }],
    ['64 KiB', { payload: 'x'.repeat(bodyMaxBytes), headers: { 'content-type': 'text/plain' } }],
  ])('with %s is 204 with nothing in it', async (_, rest) => {
    const { byToken, status } = await setUp()
    const response = await byToken(rest)
    expect(response.statusCode).toBe(204)
    expect(response.body).toBe('')
    expect(response.headers['cache-control']).toBe('no-store')
    expect(await status()).toEqual(['online'])
  })

  test('with a body over 64 KiB is 413 and does not count', async () => {
    const { byToken, status } = await setUp()
    for (const type of ['text/plain', 'application/json']) {
      const response = await byToken({
        payload: 'x'.repeat(bodyMaxBytes + 1),
        headers: { 'content-type': type },
      })
      expect(response.statusCode).toBe(413)
      expect(response.json()).toMatchObject({ code: 'too_large' })
    }
    expect(await status()).toEqual(['unknown'])
  })

  test('with a body over 64 KiB in chunks is 413 too', async () => {
    const { app, token } = await setUp()
    const url = new URL('/api/devices/heartbeat-token', await app.listen({ port: 0 }))
    const statusCode = await new Promise((resolve, reject) => {
      const chunked = request(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'transfer-encoding': 'chunked' },
      })
      chunked.on('response', (response) => {
        resolve(response.statusCode)
        response.resume()
      })
      chunked.on('error', reject)
      for (let chunks = 0; chunks < 20; chunks += 1) chunked.write('x'.repeat(bodyMaxBytes / 10))
      chunked.end()
    })
    expect(statusCode).toBe(413)
  })

  test('every bad token gets the same answer, with WWW-Authenticate', async () => {
    const { inject, token, status } = await setUp()
    const bad = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${makeToken('apd_')}`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token}x`,
      `Bearer ${token} x`.replace(token, ''),
      `Bearer apd_${'\u0001'.repeat(43)}`,
      `Basic ${token}`,
      token,
    ]
    for (const authorization of bad) {
      const response = await inject({
        method: 'POST',
        url: '/api/devices/heartbeat-token',
        ...(authorization !== undefined && { headers: { authorization } }),
      })
      expect(response.statusCode).toBe(401)
      expect(response.headers['www-authenticate']).toBe('Bearer')
      expect(response.json()).toEqual({
        code: 'invalid_token',
        error: 'This device token is missing, wrong or revoked.',
      })
    }
    expect(await status()).toEqual(['unknown'])
  })

  test('the scheme is case-insensitive, as in RFC 9110', async () => {
    const { inject, token } = await setUp()
    const response = await inject({
      method: 'POST',
      url: '/api/devices/heartbeat-token',
      headers: { authorization: `bEARER ${token}` },
    })
    expect(response.statusCode).toBe(204)
  })

  test('S20 a token in the query or the body is refused and never logged', async () => {
    const { inject, token, logged } = await setUp()
    for (const name of ['token', 'access_token', 'authorization']) {
      const response = await inject({
        method: 'POST',
        url: `/api/devices/heartbeat-token?${name}=${token}`,
        payload: { [name]: token },
      })
      expect(response.statusCode).toBe(401)
    }
    await inject({ url: `/api/devices?token=${token}` })
    await inject({ url: `/nowhere?token=${token}` })
    await inject({ url: `/api/nowhere?token=${token}` })
    await inject({ method: 'POST', url: `/api/devices/heartbeat?id=${token}` })
    expect(logged()).toContain('request refused')
    expect(logged()).not.toContain(token)
  })

  test('S33 bad tokens from an address are limited, good ones never', async () => {
    const { inject, token } = await setUp({ config: { limitExempt: [] } })
    const remoteAddress = '203.0.113.7'
    const send = (authorization: string, from = remoteAddress) =>
      inject({
        method: 'POST',
        url: '/api/devices/heartbeat-token',
        headers: { authorization },
        remoteAddress: from,
      })
    const bad = `Bearer ${makeToken('apd_')}`
    for (let tries = 0; tries < 60; tries += 1) expect((await send(bad)).statusCode).toBe(401)
    const limited = await send(bad)
    expect(limited.statusCode).toBe(429)
    expect(limited.json()).toMatchObject({ code: 'rate_limited' })
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(limited.headers['retry-after'])).toBeLessThanOrEqual(60)

    for (let tries = 0; tries < 700; tries += 1) {
      expect((await send(`Bearer ${token}`)).statusCode).toBe(204)
    }
    expect((await send(bad, '203.0.113.8')).statusCode).toBe(401)
  })
})

describe('a heartbeat by session', () => {
  test('reports the user’s own device', async () => {
    const { owner, device, status } = await setUp()
    const url = `/api/devices/heartbeat?id=${device.id}`
    const response = await owner.inject({ method: 'POST', url })
    expect(response.statusCode).toBe(204)
    expect(await status()).toEqual(['online'])
  })

  test('S23 answers the same for another user’s device as for a missing one', async () => {
    const { signUp, device, status } = await setUp()
    const stranger = await signUp()
    const answers = await Promise.all(
      [device.id, 'missing', device.id.toUpperCase()].map((id) =>
        stranger.inject({ method: 'POST', url: `/api/devices/heartbeat?id=${id}` }),
      ),
    )
    for (const { statusCode, body } of answers) {
      expect(statusCode).toBe(404)
      expect(body).toBe(answers[1]?.body)
    }
    expect(await status()).toEqual(['unknown'])
  })

  test.each([
    ['', 400],
    ['?device=1', 400],
    ['?id=a&id=b', 400],
    ['?id=a&token=b', 400],
    ['?id', 404],
  ])('with the query %j is %d', async (query, statusCode) => {
    const { owner, status } = await setUp()
    const response = await owner.inject({ method: 'POST', url: `/api/devices/heartbeat${query}` })
    expect(response.statusCode).toBe(statusCode)
    expect(await status()).toEqual(['unknown'])
  })
})

describe('the status', () => {
  test('[P1] goes from unknown to online to offline for the owner and the public', async () => {
    const { clock, token, inject, status } = await setUp({})
    const seenByAll = async () =>
      (await inject({ url: '/api/devices' })).json<{ status: string }[]>().map((one) => one.status)
    expect(await status()).toEqual(['unknown'])
    expect(await seenByAll()).toEqual(['unknown'])
    expect(await sendHeartbeat({ inject }, token)).toBe(204)
    // The public list is made at most once a second.
    clock.move(1000)
    expect(await seenByAll()).toEqual(['online'])
    clock.move(windowMs - 1001)
    expect(await status()).toEqual(['online'])
    clock.move(1)
    expect(await status()).toEqual(['offline'])
    expect(await sendHeartbeat({ inject }, token)).toBe(204)
    expect(await status()).toEqual(['online'])
  })

  test('the window is a setting', async () => {
    const { clock, byToken, status } = await setUp({ config: { onlineWindowMs: 2000 } })
    await byToken()
    clock.move(1999)
    expect(await status()).toEqual(['online'])
    clock.move(1)
    expect(await status()).toEqual(['offline'])
  })
})
