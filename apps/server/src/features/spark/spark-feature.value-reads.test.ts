import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createTestApp, type TestAppOptions } from '../../test/create-test-app.ts'
import { portOf } from '../../test/listen.ts'
import { testKeyValues } from './testing/test-key-values.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

interface Asked {
  readonly path?: string
  readonly method?: 'GET' | 'HEAD'
  readonly cookie?: string
  readonly headers?: readonly string[]
}

async function setUp(options?: TestAppOptions) {
  const testApp = await createTestApp(options)
  const { app } = testApp
  const owner = await testApp.signUp()
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const port = portOf(app.server)
  const ownersCookie = Object.entries(owner.cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

  /** Every byte of the answer except its date, and whether Fastify's route gave it. */
  const ask = async ({ path = '/_spark/kv/key', method = 'GET', ...asked }: Asked = {}) => {
    let isRoutes = false
    const note = () => (isRoutes = true)
    subscribe('tracing:fastify.request.handler:start', note)
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('utf8').on('data', (part: string) => (text += part))
    const lines = [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      `Cookie: ${asked.cookie ?? ownersCookie}`,
      ...(asked.headers ?? []),
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    await once(socket, 'close')
    unsubscribe('tracing:fastify.request.handler:start', note)
    return { isRoutes, text: text.replace(/^date: .*\r\n/im, '') }
  }
  return { ...testApp, ...testKeyValues(owner), owner, ownersCookie, ask }
}

const known = '"é 👩‍🚀"'

async function setUpKnown(options?: TestAppOptions) {
  const setting = await setUp(options)
  await setting.set('key', known)
  await setting.ask()
  return setting
}

describe('a value that memory holds', () => {
  test.each([
    ['text', 'key', '', known],
    ['an object', 'key', '', '{"a":[1,{"b":null}]}'],
    ['a number', 'a.b_c~d-1', '', ' 1 '],
    ['long', 'key', '', `"${'é'.repeat(200_000)}"`],
    ['in a collection', 'key', '?collection=games', '[]'],
  ])('S26 S30 is the route’s answer, byte for byte: %s', async (_, key, search, value) => {
    const { ask, set } = await setUp()
    await set(key, value, { search })
    const path = `/_spark/kv/${key}${search}`
    const [byRoute, early] = [await ask({ path }), await ask({ path })]
    expect([byRoute.isRoutes, early.isRoutes]).toEqual([true, false])
    expect(early.text).toBe(byRoute.text)
    expect(early.text).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    expect(early.text.endsWith(`\r\n\r\n${value}`)).toBe(true)
  })

  test('a write and a delete are seen by the next read', async () => {
    const { ask, set, remove } = await setUpKnown()
    expect((await ask()).isRoutes).toBe(false)
    await set('key', '"new"')
    expect((await ask()).text).toMatch(/"new"$/)
    expect((await ask()).text).toMatch(/"new"$/)
    await remove('key')
    expect((await ask()).text).toMatch(/^HTTP\/1.1 404 /)
    expect((await ask()).text).toMatch(/^HTTP\/1.1 404 /)
  })

  test('S23 is its owner’s alone', async () => {
    const { ask, signUp, inject } = await setUpKnown()
    const { cookies } = await signUp()
    const cookie = `astropelago_session=${cookies['astropelago_session']}`
    await inject({ url: '/api/me', cookies })
    for (const stranger of [cookie, cookie, '', 'astropelago_session=x', `${cookie}x`]) {
      const answer = await ask({ cookie: stranger })
      expect(answer.text).not.toContain(known)
      expect(answer.text).toMatch(/^HTTP\/1.1 40[14] /)
    }
  })

  test('the first of two session cookies counts, as by the route', async () => {
    const { ask, ownersCookie } = await setUpKnown()
    const other = `astropelago_session=${'A'.repeat(43)}`
    expect((await ask({ cookie: `${ownersCookie}; ${other}` })).isRoutes).toBe(false)
    expect((await ask({ cookie: `${other}; ${ownersCookie}` })).text).toMatch(/^HTTP\/1.1 401 /)
  })

  test('S14 is refused after signing out', async () => {
    const { ask, owner } = await setUpKnown()
    await owner.inject({ url: '/api/auth/logout' })
    expect((await ask()).text).toMatch(/^HTTP\/1.1 401 /)
  })

  test('S13 is refused after the session expires, and its use is recorded each hour', async () => {
    const { ask, clock, storage } = await setUpKnown({})
    const lastUse = async () => {
      const rows = await storage.db.selectFrom('sessions').select('last_used_ms').execute()
      return rows.map((row) => row.last_used_ms)
    }
    clock.move(hourMs)
    await ask()
    expect(await lastUse()).toEqual([clock.now()])
    clock.move(14 * dayMs)
    expect((await ask()).text).toMatch(/^HTTP\/1.1 401 /)
    expect((await ask()).text).toMatch(/^HTTP\/1.1 401 /)
  })

  test('S22 the session is read again each second', async () => {
    const { ask, clock, storage } = await setUpKnown({})
    await storage.db.deleteFrom('sessions').execute()
    expect((await ask()).isRoutes).toBe(false)
    clock.move(1000)
    expect((await ask()).text).toMatch(/^HTTP\/1.1 401 /)
  })

  test.each<[string, Asked]>([
    ['HEAD', { method: 'HEAD' }],
    ['an encoded key', { path: '/_spark/kv/%6Bey' }],
    ['another query', { path: '/_spark/kv/key?x=1' }],
    ['two collections', { path: '/_spark/kv/key?collection=a&collection=b' }],
    ['an empty collection', { path: '/_spark/kv/key?collection=' }],
    ['an absent key', { path: '/_spark/kv/gone' }],
    ['a deeper path', { path: '/_spark/kv/key/key' }],
    ['all keys', { path: '/_spark/kv' }],
  ])('%s is left to the route', async (_, asked) => {
    const { ask, inject, owner } = await setUpKnown()
    const { path: url = '/_spark/kv/key', method = 'GET' } = asked
    const { statusCode } = await inject({ url, method, cookies: owner.cookies })
    await ask(asked)
    const { text } = await ask(asked)
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${statusCode} `))
  })

  test('conditions and ranges are ignored either way', async () => {
    const { ask } = await setUpKnown()
    const plain = await ask()
    const headers = ['If-None-Match: *', 'Range: bytes=0-1', 'If-Modified-Since: 0']
    expect(await ask({ headers })).toEqual(plain)
  })

  test('S38 writes no log line, and no log line has a session token', async () => {
    const { ask, logged, owner } = await setUpKnown()
    const before = logged()
    expect((await ask()).isRoutes).toBe(false)
    expect(logged()).toBe(before)
    expect(logged()).not.toContain(owner.cookies['astropelago_session'])
  })

  test('S33 counts against its address, together with what the routes answer', async () => {
    const { ask, inject } = await setUpKnown({ config: { limitExempt: [] } })
    for (let calls = 0; calls < 300; calls += 1) await inject({ url: '/healthz' })
    // The write and the first read also went through Fastify's routes.
    for (let calls = 302; calls < 600; calls += 1) expect((await ask()).isRoutes).toBe(false)
    expect((await ask()).text).toMatch(/^HTTP\/1.1 429 /)
    expect((await inject({ url: '/healthz' })).statusCode).toBe(429)
  })

  test('S34 behind a trusted proxy the route tells callers apart', async () => {
    const { ask } = await setUpKnown({ config: { trustProxy: ['127.0.0.1'] } })
    expect((await ask()).isRoutes).toBe(true)
  })
})
