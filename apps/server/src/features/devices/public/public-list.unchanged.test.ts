import { request, type OutgoingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import { registerTestDevice } from '../../../test/api-devices.ts'
import { createTestApp } from '../../../test/create-test-app.ts'

async function setUp(made = createTestApp()) {
  const testApp = await made
  const owner = await testApp.signUp()
  await registerTestDevice(owner)
  // Within a second, the server would answer with the previous list.
  testApp.clock.move(1000)
  const { headers } = await testApp.inject({ url: '/api/devices' })
  const etag = String(headers['etag'])
  const { app } = testApp
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const url = app.listeningOrigin
  /** Asks over a socket, where the answer may come early. */
  const ask = (sent: OutgoingHttpHeaders, path = '/api/devices') =>
    new Promise<{ readonly status: number | undefined; readonly headers: object }>((done, fail) => {
      const outgoing = request(new URL(path, url), { headers: sent, agent: false }, (response) => {
        const { date: _, connection: _connection, 'keep-alive': _alive, ...rest } = response.headers
        response.resume()
        done({ status: response.statusCode, headers: rest })
      })
      outgoing.on('error', fail)
      outgoing.end()
    })
  /** Asks through Fastify's route. */
  const askRoute = async (sent: Record<string, string>, path = '/api/devices') => {
    const response = await testApp.inject({ url: path, headers: sent })
    const { date: _, connection: _connection, ...rest } = response.headers
    return { status: response.statusCode, headers: rest }
  }
  const requestLines = () => testApp.logged().split('"path":"/api/devices"').length - 1
  return { ...testApp, owner, etag, ask, askRoute, requestLines }
}

test('S26 the early answer has the route’s headers and writes no log line', async () => {
  const { etag, ask, askRoute, requestLines } = await setUp()
  const lines = requestLines()
  const early = await ask({ 'if-none-match': etag })
  expect(early.status).toBe(304)
  expect(requestLines()).toBe(lines)
  expect(early).toEqual(await askRoute({ 'if-none-match': etag }))
})

test.each([
  ['another ETag', (etag: string) => ({ 'if-none-match': `${etag.slice(0, -1)}0"` }), 200],
  ['the ETag in a list', (etag: string) => ({ 'if-none-match': `"x", ${etag}` }), 304],
  ['no ETag', () => ({}), 200],
])('with %s the route answers', async (_, headersOf, status) => {
  const { etag, ask, requestLines } = await setUp()
  const lines = requestLines()
  expect((await ask(headersOf(etag))).status).toBe(status)
  expect(requestLines()).toBe(lines + 1)
})

test('a list that is due after a change is made again instead of being answered as unchanged', async () => {
  const { owner, etag, ask, clock } = await setUp()
  await registerTestDevice(owner)
  expect((await ask({ 'if-none-match': etag })).status).toBe(304)
  clock.move(1000)
  expect((await ask({ 'if-none-match': etag })).status).toBe(200)
})

test('S33 early and ordinary answers share one count for an address', async () => {
  const { etag, ask, askRoute, requestLines } = await setUp(
    createTestApp({ config: { limitExempt: [] } }),
  )
  const unchanged = { 'if-none-match': etag }
  // Registering the device and asking for the list were two calls already.
  for (let calls = 2; calls < 300; calls += 1) await askRoute(unchanged)
  const lines = requestLines()
  for (let calls = 0; calls < 300; calls += 1) await ask(unchanged)
  expect(requestLines()).toBe(lines)
  expect((await ask(unchanged)).status).toBe(429)
  expect((await askRoute(unchanged)).status).toBe(429)
})

test('S34 behind a trusted proxy the ordinary route distinguishes callers', async () => {
  const { etag, ask, requestLines } = await setUp(
    createTestApp({ config: { trustProxy: ['127.0.0.1'] } }),
  )
  const lines = requestLines()
  expect((await ask({ 'if-none-match': etag })).status).toBe(304)
  expect(requestLines()).toBe(lines + 1)
})
