import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createTestToken, registerTestDevice } from '../test/api-devices.ts'
import { createTestApp } from '../test/create-test-app.ts'

/** The real server on a port, asked by what goes over the wire. */
async function setUp() {
  const testApp = await createTestApp()
  const { app } = testApp
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const open = () => {
    const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    return socket
  }
  /** What comes back until the server ends the connection. */
  const ask = (...lines: readonly string[]) => {
    const socket = open()
    socket.write([...lines, '', ''].join('\r\n'))
    return text(socket)
  }
  return { ...testApp, open, ask }
}

const webSocket = [
  'Host: localhost:3000',
  'Connection: Upgrade, close',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]

test.each(['/healthz?token=apd_secret', '/api/me', '/api/devices', '/explore'])(
  'S49 an upgrade on %s is ignored, and no log has its query',
  async (path) => {
    const { ask, logged } = await setUp()
    const answer = await ask(`GET ${path} HTTP/1.1`, ...webSocket, 'Origin: https://evil.example')
    expect(answer).toMatch(/^HTTP\/1\.1 (200|401|404) /)
    expect(logged()).not.toContain('apd_secret')
  },
)

test('S49 an upgrade behind an unanswered request, or with an unfinished body, is ignored', async () => {
  const { ask, inject } = await setUp()
  const upgrade = ['GET /api/relay/connect HTTP/1.1', ...webSocket]
  const behind = await ask('GET /healthz HTTP/1.1', 'Host: x', '', ...upgrade)
  expect(behind).toMatch(/^HTTP\/1\.1 200 /)
  expect(behind).toContain('HTTP/1.1 401 ')
  expect(await ask(...upgrade, 'Content-Length: 5', '', '12345')).toMatch(/^HTTP\/1\.1 401 /)
  expect((await inject({ url: '/healthz' })).statusCode).toBe(200)
})

test('S49 a heartbeat from a client that offers HTTP/2 counts', async () => {
  const { ask, signUp } = await setUp()
  const owner = await signUp()
  const { id } = await registerTestDevice(owner)
  const { token } = await createTestToken(owner, id)
  const answer = await ask(
    'POST /api/devices/heartbeat-token HTTP/1.1',
    'Host: localhost:3000',
    'Connection: Upgrade, HTTP2-Settings, close',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
    `Authorization: Bearer ${token}`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 204 /)
})

test.each([
  ['what is no HTTP', ['nonsense'], 400, 'invalid_input'],
  ['what names no host', ['GET /api/me HTTP/1.1', 'Connection: close'], 400, 'invalid_input'],
  [
    'what expects something odd',
    ['GET /api/me HTTP/1.1', 'Host: a', 'Expect: wonders', 'Connection: close'],
    401,
    'signed_out',
  ],
  [
    'headers without end',
    ['GET / HTTP/1.1', `X-Long: ${'x'.repeat(20_000)}`],
    431,
    'headers_too_large',
  ],
])('S26 %s is refused as any other request', async (_, lines, status, code) => {
  const { ask, inject } = await setUp()
  const answer = await ask(...lines)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(JSON.parse(body)).toMatchObject({ code, error: expect.any(String) })
  const { headers } = await inject({ url: '/api/nothing' })
  for (const name of ['content-security-policy', 'x-content-type-options', 'cache-control']) {
    expect(head).toContain(`${name}: ${String(headers[name])}`)
  }
})

test('R55 S26 a used connection refuses a request that is too long, unless it owes another answer', async () => {
  const { ask, open } = await setUp()
  const good = ['GET /healthz HTTP/1.1', 'Host: localhost:3000', '', '']
  const tooLong = ['GET / HTTP/1.1', `X-Long: ${'x'.repeat(20_000)}`]
  const socket = open()
  socket.write(good.join('\r\n'))
  const [answer]: Buffer[] = await once(socket, 'data')
  expect(answer?.toString()).toMatch(/^HTTP\/1\.1 200 /)
  socket.write(tooLong.join('\r\n'))
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 431 /)
  // It would be taken for the first one's.
  expect(await ask(...good.slice(0, -1), ...tooLong)).not.toContain('431')
})

test('S48 the last of 501 connections from one address is ended at once', async () => {
  const { app } = await createTestApp({ config: { limitExempt: [] } })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  let ended = 0
  const sockets = Array.from({ length: 501 }, () =>
    connect(Number(new URL(url).port), '127.0.0.1').on('close', () => (ended += 1)),
  )
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await expect.poll(() => ended, { timeout: 10_000 }).toBe(1)
})

test('a connection that is reset before it is read is not an error', async () => {
  const { open, logged, inject } = await setUp()
  const before = logged().length
  for (let times = 0; times < 20; times += 1) {
    const socket = open()
    await once(socket, 'connect')
    socket.write('GET /api/devices HTTP/1.1\r\nHost: localhost:3000\r\n\r\n')
    socket.resetAndDestroy()
  }
  await wait(100)
  expect((await inject({ url: '/healthz' })).statusCode).toBe(200)
  expect(logged().slice(before)).not.toContain('"level":50')
})

test('an address of no file is not a failure', async () => {
  const { inject } = await setUp()
  for (const url of ['/api/docs/static/%00', '/%00', '/assets/%00.js']) {
    expect((await inject({ url })).statusCode).toBe(404)
  }
})

test('S1 bytes that are not UTF-8 are refused, so that different passwords stay different', async () => {
  const { inject } = await setUp()
  const payload = Buffer.concat([
    Buffer.from('{"username":"nova","password":"correct horse '),
    Buffer.from([0xff]),
    Buffer.from('"}'),
  ])
  const headers = { 'content-type': 'application/json' }
  const answer = await inject({ method: 'POST', url: '/api/auth/register', payload, headers })
  expect(answer.statusCode).toBe(400)
})

test('a heartbeat’s address may end with a slash, and two spaces may precede its token', async () => {
  const { inject, signUp } = await setUp()
  const owner = await signUp()
  const { id } = await registerTestDevice(owner)
  const { token } = await createTestToken(owner, id)
  const answer = await inject({
    method: 'POST',
    url: '/api/devices/heartbeat-token/',
    headers: { authorization: `Bearer  ${token}` },
  })
  expect(answer.statusCode).toBe(204)
})
