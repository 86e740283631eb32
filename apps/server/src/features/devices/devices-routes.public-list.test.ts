import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../test/api-devices.ts'
import { createTestApp } from '../../test/create-test-app.ts'

async function setUp(made = createTestApp()) {
  const testApp = await made
  const owner = await testApp.signUp()
  /** The current list. Within a second, the server would answer with the previous one. */
  const list = (headers: Record<string, string> = {}) => {
    testApp.clock.move(1000)
    return testApp.inject({ url: '/api/devices', headers })
  }
  const etag = async () => String((await list()).headers['etag'])
  return { ...testApp, owner, list, etag }
}

test('S24 the list has only the listed fields of public devices, last seen first', async () => {
  const { owner, list, inject, clock } = await setUp(createTestApp({}))
  const first = await registerTestDevice(owner, { link: 'https://a.example/' })
  const second = await registerTestDevice(owner, { label: 'Roof' })
  await registerTestDevice(owner, { visibility: 'private' })
  const { token } = await createTestToken(owner, second.id)
  clock.move(1000)
  await sendHeartbeat({ inject }, token)
  const response = await list()
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(response.headers['x-total-count']).toBe('2')
  const place = { lat: 1.5, lon: -2.5 }
  expect(response.json()).toEqual([
    { id: second.id, label: 'Roof', ...place, status: 'online', link: null },
    { id: first.id, label: 'Pi', ...place, status: 'unknown', link: 'https://a.example/' },
  ])
})

test('without devices it is an empty array, counted as 0', async () => {
  const { list } = await setUp(createTestApp({}))
  const response = await list()
  expect(response.json()).toEqual([])
  expect(response.headers['x-total-count']).toBe('0')
})

test('cookies are neither read nor set: the bytes are the same with them', async () => {
  const { owner, list } = await setUp()
  await registerTestDevice(owner)
  await registerTestDevice(owner, { visibility: 'private' })
  await list()
  const [signedIn, anonymous] = [await owner.inject({ url: '/api/devices' }), await list()]
  expect(signedIn.rawPayload).toEqual(anonymous.rawPayload)
  expect(signedIn.headers['etag']).toBe(anonymous.headers['etag'])
  expect(signedIn.cookies).toEqual([])
  expect(String(signedIn.headers['vary'])).not.toMatch(/cookie/i)
})

describe('compression', () => {
  const decoders = { gzip: gunzipSync, zstd: zstdDecompressSync }

  test.each([
    ['gzip', 'gzip'],
    ['br, gzip;q=0.8', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['zstd;q=0, gzip', 'gzip'],
    ['*', undefined],
    ['br', undefined],
    ['', undefined],
    ['gzip;q=0', undefined],
    ['br, gzip; q=0.00, deflate', undefined],
    ['x-gzip-like', undefined],
  ] as const)('Accept-Encoding %j gets %s', async (accepted, encoding) => {
    const { owner, list } = await setUp()
    await registerTestDevice(owner)
    const plain = await list()
    const response = await list({ 'accept-encoding': accepted })
    expect(response.headers['content-encoding']).toBe(encoding)
    const bytes = encoding ? decoders[encoding](response.rawPayload) : response.rawPayload
    expect(bytes).toEqual(plain.rawPayload)
    expect(response.headers['etag']).toBe(plain.headers['etag'])
    expect(response.headers['vary']).toBe('accept-encoding')
  })
})

describe('the ETag', () => {
  test.each([
    ['it', (etag: string) => etag, true],
    ['a proxy’s weak form of it', (etag: string) => `W/${etag}`, true],
    ['a list that holds it', (etag: string) => `"other", ${etag}`, true],
    ['anything', () => '*', true],
    ['another', () => '"other"', false],
    ['a part of it', (etag: string) => etag.slice(0, -2), false],
  ])('If-None-Match with %s', async (_, ifNoneMatch, isKnown) => {
    const { owner, list, etag } = await setUp()
    await registerTestDevice(owner)
    const current = await etag()
    const response = await list({ 'if-none-match': ifNoneMatch(current) })
    expect(response.statusCode).toBe(isKnown ? 304 : 200)
    expect(response.body === '').toBe(isKnown)
    expect(response.headers['etag']).toBe(current)
    expect(response.headers['cache-control']).toBe('no-cache')
  })

  test('changes with every visible change of a public device', async () => {
    const { owner, etag, inject, clock } = await setUp()
    const seen = [await etag()]
    const change = async (act: () => Promise<unknown>) => {
      await act()
      seen.push(await etag())
    }
    const { id } = await registerTestDevice(owner)
    seen.push(await etag())
    const { token } = await createTestToken(owner, id)
    const url = `/api/devices/${id}`
    await change(() => owner.inject({ method: 'PATCH', url, payload: { label: 'Roof' } }))
    await change(() => sendHeartbeat({ inject }, token))
    await change(() => owner.inject({ method: 'PATCH', url, payload: { visibility: 'private' } }))
    await change(() => owner.inject({ method: 'PATCH', url, payload: { visibility: 'public' } }))
    await change(() => owner.inject({ method: 'DELETE', url }))
    expect(new Set(seen).size).toBe(seen.length)
    clock.move(1)
    expect(await etag()).toBe(seen.at(-1))
  })

  test('stays the same after a second heartbeat, which changes nothing in the list', async () => {
    const { owner, etag, inject } = await setUp(createTestApp({}))
    const { id } = await registerTestDevice(owner)
    const { token } = await createTestToken(owner, id)
    await sendHeartbeat({ inject }, token)
    const before = await etag()
    await sendHeartbeat({ inject }, token)
    expect(await etag()).toBe(before)
  })

  test('S54 S23 a private device affects neither list, count nor ETag', async () => {
    const { owner, list, inject } = await setUp()
    await registerTestDevice(owner)
    const before = await list()
    const { id } = await registerTestDevice(owner, { visibility: 'private' })
    const { token } = await createTestToken(owner, id)
    const url = `/api/devices/${id}`
    const acts = [
      () => sendHeartbeat({ inject }, token),
      () => owner.inject({ method: 'POST', url: `/api/devices/heartbeat?id=${id}` }),
      () => owner.inject({ method: 'PATCH', url, payload: { label: 'Cellar' } }),
      () => owner.inject({ method: 'DELETE', url }),
    ]
    for (const act of acts) {
      await act()
      const after = await list()
      expect(after.body).toBe(before.body)
      for (const name of ['etag', 'x-total-count', 'content-length']) {
        expect(after.headers[name]).toBe(before.headers[name])
      }
    }
  })
})
