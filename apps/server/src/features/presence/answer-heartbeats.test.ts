import { request, type RequestOptions } from 'node:http'
import type { InjectOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { createTestToken, listOwnDevices, registerTestDevice } from '../../test/api-devices.ts'
import { refuseWrites } from '../../test/open-test-storage.ts'
import { createTestApp } from '../../test/create-test-app.ts'
import { makeToken } from '../../secret-token.ts'

const path = '/api/devices/heartbeat-token'

interface Answer {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

function send(url: string, options: RequestOptions, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(options.path ?? path, url), { method: 'POST', ...options })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => {
        const {
          date: _,
          connection: _connection,
          'keep-alive': _alive,
          ...headers
        } = response.headers
        resolve({ status: response.statusCode, headers, body: text })
      })
    })
    outgoing.end(body)
  })
}

async function setUp(made = createTestApp()) {
  const testApp = await made
  const owner = await testApp.signUp()
  const device = await registerTestDevice(owner)
  const { id: tokenId, token } = await createTestToken(owner, device.id)
  const { app } = testApp
  if (!app.server.listening) await app.listen({ port: 0 })
  const url = app.listeningOrigin
  // Fastify's route answers `inject`; heartbeats over the socket are answered early.
  const ordinary = async (options: InjectOptions): Promise<Answer> => {
    const response = await testApp.inject({ method: 'POST', url: path, ...options })
    const { date: _, connection: _connection, ...headers } = response.headers
    return { status: response.statusCode, headers, body: response.body }
  }
  return { ...testApp, owner, device, token, tokenId, url, ordinary }
}

describe('the early answer to a heartbeat', () => {
  test.each([
    ['a good token', {}],
    ['a scheme in other letters', { scheme: 'bEARER' }],
    ['an unknown token', { token: makeToken('apd_') }],
    ['no token', { token: '' }],
    ['a query', { query: '?x=1' }],
    ['a small body', { body: 'alive' }],
    ['a body that is too large', { body: 'x'.repeat(1025) }],
    ['another site’s page', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['another site’s form', { headers: { origin: 'https://elsewhere.example' } }],
    ['this site’s page', { headers: { 'sec-fetch-site': 'same-origin' } }],
  ])('is the ordinary one with %s', async (_, given: Partial<Given>) => {
    const { url, token, ordinary } = await setUp()
    const { scheme = 'Bearer', query = '', body = '' } = given
    const authorization = `${scheme} ${given.token ?? token}`
    const headers = { authorization, ...given.headers }
    const length = { 'content-length': String(body.length) }
    const early = await send(url, { path: path + query, headers: { ...headers, ...length } }, body)
    const payload = body === '' ? {} : { payload: body, headers: { ...headers, ...length } }
    expect(early).toEqual(await ordinary({ url: path + query, headers, ...payload }))
  })

  test('counts as a heartbeat, and its token as used', async () => {
    const { url, owner, device, token } = await setUp()
    await send(url, { headers: { authorization: `Bearer ${token}` } })
    expect(await listOwnDevices(owner)).toMatchObject([{ status: 'online' }])
    const tokens = await owner.inject({ url: `/api/devices/${device.id}/tokens` })
    expect(tokens.json()).toMatchObject([{ lastUsedAt: expect.any(String) }])
  })

  test('S22 stops with the revocation of the token, and with its device', async () => {
    const { url, owner, device, token, tokenId } = await setUp()
    const other = await createTestToken(owner, device.id)
    const beat = async (secret: string) =>
      (await send(url, { headers: { authorization: `Bearer ${secret}` } })).status
    expect([await beat(token), await beat(other.token)]).toEqual([204, 204])
    await owner.inject({ method: 'DELETE', url: `/api/devices/tokens/${tokenId}` })
    expect([await beat(token), await beat(other.token)]).toEqual([401, 204])
    await owner.inject({ method: 'DELETE', url: `/api/devices/${device.id}` })
    expect(await beat(other.token)).toBe(401)
  })

  test('S20 writes no log line and never logs a token', async () => {
    const { url, token, logged } = await setUp()
    const before = logged()
    await send(url, { headers: { authorization: `Bearer ${token}` } })
    expect(logged()).toBe(before)
    expect(logged()).not.toContain(token)
  })

  test('S44 answers 503 with Retry-After when storage refuses, like the ordinary route', async () => {
    const { url, token, storage, ordinary } = await setUp(createTestApp({}))
    await refuseWrites(storage, true)
    const headers = { authorization: `Bearer ${token}` }
    const early = await send(url, { headers })
    expect(early).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } })
    expect(early).toEqual(await ordinary({ headers }))
    await refuseWrites(storage, false)
    expect(await send(url, { headers })).toMatchObject({ status: 204 })
  })
})

interface Given {
  readonly scheme: string
  readonly token: string
  readonly query: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}
