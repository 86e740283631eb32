import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createTestToken, registerTestDevice } from '../../../test/api-devices.ts'
import { publishTestIsland, viewIsland } from '../../../test/api-islands.ts'
import { connectAgent } from '../../../test/relay-agent.ts'
import { createRelayApp, makeServedIsland, shareRelayApp } from '../../../test/relay-app.ts'
import { echo } from '../../../test/relay-visitor.ts'

async function setUp() {
  const relay = await shareRelayApp()
  await connectAgent(relay.url, relay.token, { onRequest: echo })
  await expect.poll(async () => (await relay.visit()).status).toBe(200)
  /** Everything that arrives until the server ends the connection. */
  const ask = async (...lines: readonly string[]) => {
    const socket = connect(relay.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
    return await text(socket)
  }
  return { ...relay, ask }
}

const page = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

test('R1 below the relay’s domain nothing of the site answers, whatever the request', async () => {
  const { visit, hostName, host, device, logged } = await setUp()
  const { token } = await createTestToken(host, device.id)
  for (const path of ['/healthz', '/api/me', '/api/devices', '/', '/api/docs', '/_spark/user']) {
    const { status, body } = await visit({ path })
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject({ host: hostName, url: path })
  }
  const heartbeat = {
    method: 'POST',
    path: '/api/devices/heartbeat-token',
    headers: { authorization: `Bearer ${token}` },
  }
  // On an island's host it is no heartbeat, so the service gets it.
  expect((await visit(heartbeat)).status).toBe(200)
  expect((await visit({ ...heartbeat, host: 'nobody.localhost' })).status).toBe(404)
  expect((await visit({ ...heartbeat, host: 'localhost' })).status).toBe(204)
  expect(logged()).not.toContain(token)
})

test('R1 every other host is the site’s', async () => {
  const { visit } = await setUp()
  for (const host of ['localhost', '127.0.0.1', 'sky.example', '[::1]:3000', 'xlocalhost']) {
    expect((await visit({ host, path: '/api/me' })).status).toBe(401)
  }
})

test.each([
  ['two hosts', ['GET / HTTP/1.1', 'Host: {island}', 'Host: localhost'], 400],
  [
    'two hosts, the site’s first',
    ['GET /api/me HTTP/1.1', 'Host: localhost', 'Host: {island}'],
    400,
  ],
  ['the site’s target', ['GET http://localhost/api/me HTTP/1.1', 'Host: {island}'], 400],
  ['an island’s target', ['GET http://{island}/ HTTP/1.1', 'Host: localhost'], 400],
  [
    'both lengths',
    ['POST / HTTP/1.1', 'Host: {island}', 'Content-Length: 3', 'Transfer-Encoding: chunked'],
    400,
  ],
  ['a host with a dot and capitals', ['GET / HTTP/1.1', 'HOST: {ISLAND}'], 200],
  ['its own absolute target', ['GET http://{island}/a?b HTTP/1.1', 'Host: {island}'], 200],
  ['no host but an absolute target', ['GET http://{island}/a HTTP/1.0'], 200],
  ['no host', ['GET /api/me HTTP/1.1'], 400],
  ['a name below an island’s', ['GET / HTTP/1.1', 'Host: a.{island}'], 404],
])('R1 a request with %s', async (_, lines, status) => {
  const { ask, slug, port } = await setUp()
  const answer = await ask(
    ...lines.map((line) =>
      line
        .replaceAll('{island}', `${slug}.localhost:${port}`)
        .replaceAll('{ISLAND}', `${slug.toUpperCase()}.LocalHost.`),
    ),
  )
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
})

test('R1 a second request on one connection is judged by its own host', async () => {
  const { port, slug } = await setUp()
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const close = 'Connection: close\r\n\r\n'
  socket.write(
    `GET /a HTTP/1.1\r\nHost: ${slug}.localhost\r\n\r\n` +
      `GET /api/me HTTP/1.1\r\nHost: localhost\r\n\r\n` +
      `GET /b HTTP/1.1\r\nHost: ${slug}.localhost\r\n${close}`,
  )
  const answers = (await text(socket)).split(/(?=HTTP\/1\.1 )/)
  expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['200', '401', '200'])
  expect(answers[0]).toContain('"/a"')
  expect(answers[2]).toContain('"/b"')
})

/** Leaves out what is random and what depends on the slug. */
const alike = ({
  date: _date,
  location,
  'set-cookie': cookies,
  ...headers
}: IncomingHttpHeaders) => ({
  ...headers,
  locationLength: location?.replace(/islands\/[^/]+/, '').length,
  cookies: cookies?.map((cookie) => cookie.replace(/=[\w-]{43};/, '=…;')),
})

test('R29 R4 S54 unknown, hidden and forbidden names answer alike: a page goes to the site', async () => {
  const { visit, host, island } = await setUp()
  const { slug: members } = (await makeServedIsland(host, { access: 'members' })).island
  const { slug: invited } = (await makeServedIsland(host, { access: 'invited' })).island
  const { id: device } = await registerTestDevice(host)
  const linked = await publishTestIsland(
    host,
    { access: 'public', isListed: true },
    { carrier: device },
  )
  const slugs = ['none-there', members, invited, linked.slug]
  for (const headers of [page, {}, { ...page, 'sec-fetch-dest': 'iframe' }]) {
    for (const method of ['GET', 'POST']) {
      const answers = await Promise.all(
        slugs.map((slug) => visit({ method, host: `${slug}.localhost`, headers })),
      )
      const leadsOn = method === 'GET' && headers === page
      for (const [at, { status, headers: said, body }] of answers.entries()) {
        expect(status).toBe(leadsOn ? 302 : 404)
        expect(said.location?.replace(/[\w-]{43}$/, '…')).toBe(
          leadsOn ? `http://localhost:3000/islands/${slugs[at]}/enter?state=…` : undefined,
        )
        expect(said['cache-control']).toBe('no-store')
        expect([alike(said), body]).toEqual([alike(answers[0]?.headers ?? {}), answers[0]?.body])
      }
    }
  }
  expect(island.access).toBe('public')
})

test('R1 an upgrade to anything but a WebSocket is ignored', async () => {
  const { ask, slug } = await setUp()
  const answer = await ask(
    'GET /api/relay/connect HTTP/1.1',
    `Host: ${slug}.localhost`,
    'Upgrade: astropelago-relay/2',
  )
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(answer).toContain('"url":"/api/relay/connect"')
  expect(answer).not.toMatch(/upgrade/i)
})

test('a closed island says so, and since when if that is known', async () => {
  const app = await shareRelayApp()
  const { url, token, visit, clock, slug } = app
  const never = await visit({ headers: page })
  expect([never.status, never.headers['retry-after']]).toEqual([503, '60'])
  expect(never.headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-/,
  )
  expect(never.body).toContain('Harbor Bar is closed')
  expect(never.body).not.toContain('<time')

  const agent = await connectAgent(url, token)
  await expect.poll(async () => (await visit()).status).toBe(200)
  await expect.poll(async () => (await viewIsland(app, slug))?.isOpen).toBe(true)
  agent.cut()
  await agent.closed
  expect((await visit()).body).toContain('has lost its connection')
  clock.move(10_000)
  const since = new Date(clock.now() - 10_000).toISOString()
  const closed = async () => (await visit({ headers: page })).body
  await expect.poll(closed).toContain(`<time datetime="${since}">`)
  expect((await visit()).body).toMatch(/^Harbor Bar is closed\./)
})

test('S44 an upgrade at the relay’s own paths is answered even if the visitor can’t be identified', async () => {
  const { app, port, hostName, storage, visit } = await createRelayApp()
  await storage.db.schema.dropTable('relay_tickets').execute()
  const visitor = connect(port, '127.0.0.1')
  onTestFinished(() => void visitor.destroy())
  visitor.write(
    `GET /.astropelago/enter?ticket=x HTTP/1.1\r\nHost: ${hostName}\r\nAccept: text/html\r\n` +
      'Cookie: astropelago_door=a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  )
  expect(await text(visitor)).toMatch(/^HTTP\/1\.1 503 /)
  expect((await visit()).status).toBe(503)
  expect(app.server.listening).toBe(true)
})

/** Of a server whose connections are counted. */
const counted = {}

test.each(['nobody.localhost', 'localhost'])(
  'S37 a client whose upgrade at %s is refused can’t hold the connection open',
  async (name) => {
    const { app, port } = await shareRelayApp(counted)
    const path = name === 'localhost' ? '/api/relay/connect' : '/'
    const visitor = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    onTestFinished(() => void visitor.destroy())
    visitor.on('error', () => undefined)
    visitor.write(
      `GET ${path} HTTP/1.1\r\nHost: ${name}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    )
    visitor.resume()
    await once(visitor, 'end')
    const held = () =>
      new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))
    await expect.poll(held).toBe(0)
  },
)
