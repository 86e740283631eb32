import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { tokenHeartbeat } from '@astropelago/contract/devices'
import { liveFeed } from '@astropelago/contract/feed'
import { connectRelay, relayProtocol, tlsAllowed } from '@astropelago/contract/relay'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestToken, registerTestDevice } from '../test/api-devices.ts'
import { createTestApp, shareTestApp, type TestApp } from '../test/create-test-app.ts'

const publicUrl = 'https://sky.example'
const options = { config: { publicUrl, relayDomain: 'islands.example', metricsToken: 'metrics' } }

async function portOf({ app }: TestApp): Promise<number> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  return Number(new URL(app.listeningOrigin).port)
}

/** All that comes back for these requests, which are sent at once on one connection. */
async function send(testApp: TestApp, ...requests: readonly (readonly string[])[]) {
  const socket = connect(await portOf(testApp), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const last = requests.at(-1) ?? []
  const all = [...requests.slice(0, -1), [...last, 'Connection: close']]
  socket.write(all.map((lines) => [...lines, '', ''].join('\r\n')).join(''), 'latin1')
  return await text(socket)
}

/** A connection that stays open. */
async function talk() {
  const socket = connect(await portOf(await shareTestApp(options)), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk))
  return {
    ask: async (...lines: readonly string[]) => {
      received = ''
      socket.write([...lines, '', ''].join('\r\n'))
      await expect.poll(() => received).toContain('\r\n\r\n')
      return received
    },
  }
}

const refused = /^HTTP\/1\.1 421 Misdirected Request\r\n/

const statusesOf = (answers: string) =>
  [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))

async function statusOf(path: string, ...hosts: readonly string[]): Promise<number | undefined> {
  const lines = [`GET ${path} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`)]
  return statusesOf(await send(await shareTestApp(options), lines)).at(0)
}

describe('R1 with a PUBLIC_URL beyond this machine', () => {
  test.each(['sky.example', 'SKY.Example', 'sky.example.', 'sky.example:3000', 'sky.example.:443'])(
    'the site answers at %s',
    async (host) => {
      expect(await statusOf('/api/me', host)).toBe(401)
    },
  )

  test.each([
    'evil.example',
    'a.sky.example',
    'example',
    'sky.example.evil.example',
    'sky.example@evil.example',
    'localhost:3000',
    '127.0.0.1',
    '[::1]:3000',
    'pi.lan',
    'islands.example',
  ])('%s gets 421', async (host) => {
    expect(await statusOf('/api/me', host)).toBe(421)
    expect(await statusOf('/', host)).toBe(421)
    expect(await statusOf(`http://${host}/api/me`, host)).toBe(421)
  })

  test.each([
    ['no host', [], 400],
    ['two hosts, the site’s first', ['sky.example', 'evil.example'], 401],
    ['two hosts, the site’s last', ['evil.example', 'sky.example'], 401],
    ['another host twice', ['evil.example', 'evil.example'], 421],
  ])('a request with %s', async (_, hosts, status) => {
    expect(await statusOf('/api/me', ...hosts)).toBe(status)
  })

  test.each(['127.0.0.1:3000', 'localhost', '[fe80::1]', '203.0.113.7', 'server-1:3000'])(
    'machines get their answers at %s too',
    async (host) => {
      for (const path of ['/healthz', '/readyz?verbose']) {
        expect(await statusOf(path, host)).toBe(200)
      }
      const asked = [`GET ${tlsAllowed.path}?domain=x.example HTTP/1.1`, `Host: ${host}`]
      const scraped = ['GET /metrics HTTP/1.1', `Host: ${host}`, 'Authorization: Bearer metrics']
      const answers = await send(await shareTestApp(options), asked, scraped)
      expect(statusesOf(answers)).toEqual([404, 200])
      expect(await statusOf('/metrics/devices', host)).toBe(421)
    },
  )

  test('a name that a stranger could point here gets none of those', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', tlsAllowed.path]) {
      expect(await statusOf(path, 'evil.example')).toBe(421)
    }
  })

  test('heartbeats are answered at the site’s host only', async () => {
    const testApp = await shareTestApp(options)
    const owner = await testApp.signUp()
    const device = await registerTestDevice(owner)
    const { token } = await createTestToken(owner, device.id)
    const beat = (host: string) => [
      `POST ${tokenHeartbeat.path} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${token}`,
    ]
    const hosts = ['sky.example', '127.0.0.1', 'localhost', 'evil.example', 'sky.example']
    expect(statusesOf(await send(testApp, ...hosts.map(beat)))).toEqual([204, 421, 421, 421, 204])
  })

  test.each([
    [liveFeed.path, 'websocket'],
    [connectRelay.path, relayProtocol],
    [connectRelay.path, 'websocket'],
  ])('an upgrade of %s to %s is refused, and the connection serves on', async (path, protocol) => {
    const { ask } = await talk()
    const upgrade = ['Connection: Upgrade', `Upgrade: ${protocol}`]
    expect(await ask(`GET ${path} HTTP/1.1`, 'Host: evil.example', ...upgrade)).toMatch(refused)
    expect(await ask('GET /api/me HTTP/1.1', 'Host: sky.example')).toMatch(/^HTTP\/1\.1 401 /)
  })

  test('the answer is empty and not stored, and the connection serves on after a body', async () => {
    const { ask } = await talk()
    const answer = await ask('POST / HTTP/1.1', 'Host: evil.example', 'Content-Length: 5')
    expect(answer).toMatch(refused)
    const names = answer.match(/^[\w-]+(?=:)/gm)?.map((name) => name.toLowerCase())
    const usual = ['connection', 'content-length', 'date', 'keep-alive']
    expect(names?.toSorted()).toEqual(['cache-control', ...usual])
    expect(answer).toMatch(/cache-control: no-store\r\n[^]*content-length: 0\r\n/)
    expect(await ask('helloGET /api/me HTTP/1.1', 'Host: sky.example')).toMatch(/^HTTP\/1\.1 401 /)
  })

  test('a body that waits to be asked for is not asked for', async () => {
    const { ask } = await talk()
    const body = ['Content-Length: 5', 'Expect: 100-continue']
    expect(await ask('POST / HTTP/1.1', 'Host: evil.example', ...body)).toMatch(refused)
  })

  test('the log names the host that was asked for, at most once a minute', async () => {
    const testApp = await createTestApp(options)
    const ask = async (host: string) => {
      await send(testApp, ['GET / HTTP/1.1', `Host: ${host}`])
      return testApp.logged().match(/"asked":"[^"]*","publicUrl":"https:\/\/sky\.example"/g) ?? []
    }
    expect(await ask(`\u0085a\u00adb${'c'.repeat(200)}`)).toEqual([
      `"asked":"ab${'c'.repeat(98)}","publicUrl":"${publicUrl}"`,
    ])
    testApp.clock.move(59_999)
    expect(await ask('evil.example')).toHaveLength(1)
    testApp.clock.move(1)
    expect(await ask('evil.example')).toHaveLength(2)
    expect(testApp.logged()).toContain('"level":40')
  })
})

test.each([
  [{ publicUrl: 'http://localhost:3000' }],
  [{ publicUrl: 'http://sky.localhost:3000' }],
  [{ publicUrl: 'http://127.0.0.1:3000' }],
  [{ publicUrl: 'http://[::1]:3000' }],
  [{ publicUrl: 'http://localhost:3000', hasPublicUrl: false }],
])('R1 every host is the site’s with %o', async (config) => {
  const testApp = await createTestApp({ config })
  for (const host of ['sky.example', '127.0.0.1', 'pi.lan']) {
    const answers = await send(testApp, ['GET /api/me HTTP/1.1', `Host: ${host}`])
    expect(statusesOf(answers)).toEqual([401])
  }
})
