import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connectAgent, rawService, type RawAnswer } from '../../../test/relay-agent.ts'
import { shareRelayApp, makeServedIsland } from '../../../test/relay-app.ts'
import { frame, frameTypes } from '../frames/frames.ts'

/** @param answers what a service sends for each path, valid or not */
async function setUp(answers: Readonly<Record<string, RawAnswer>>) {
  const relay = await shareRelayApp()
  await connectAgent(relay.url, relay.token, { onStream: rawService(answers) })
  await expect.poll(async () => (await relay.visit()).status).toBe(204)
  /** Returns the bytes that a visitor gets. */
  const ask = async (request: string) => {
    const socket = connect(relay.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(`${request}\r\nHost: ${relay.hostName}\r\nConnection: close\r\n\r\n`)
    let got = ''
    socket.on('data', (chunk) => (got += chunk.toString('latin1')))
    await once(socket, 'close')
    return got
  }
  return { ...relay, ask }
}

/** Adds another host's island, whose visitors must not be affected. */
async function addNeighbour({ url, signUp, visit }: Awaited<ReturnType<typeof shareRelayApp>>) {
  const { token, slug } = await makeServedIsland(await signUp())
  await connectAgent(url, token)
  const ask = async () => (await visit({ host: `${slug}.localhost` })).body
  await expect.poll(ask).toBe('hello')
  return ask
}

const noLength = 'HTTP/1.1 200 OK\r\n\r\n'

test.each<[string, RawAnswer]>([
  ['with headers above 64 KiB', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`],
  ['without a final status', (stream) => void stream.end('HTTP/1.1 102 Processing\r\n\r\n')],
  ['that stops before it begins', (stream) => stream.destroy()],
  ['that ends before it begins', (stream) => void stream.end()],
  ['that stops in its headers', (stream) => void stream.end('HTTP/1.1 200 OK\r\nX-Half: a')],
  [
    'that switches protocols unasked',
    'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  ],
  ['that says 101 and no protocol', 'HTTP/1.1 101 Switching\r\n\r\n'],
  [
    'that is framed twice',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  [
    'that is framed twice, the other way',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n',
  ],
  ['of two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'],
  ['with a space before a colon', 'HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n'],
  ['with a null in a header', 'HTTP/1.1 200 OK\r\nX-Odd: a\0b\r\nContent-Length: 0\r\n\r\n'],
  ['of a status that nobody knows', 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'],
  ['that is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
])(
  'R9 R48 [A16] [A21] an answer %s becomes a page of ours, and nobody else loses anything',
  async (_, answer) => {
    const relay = await setUp({ '/odd': answer, '/after': `${noLength}own` })
    const neighbour = await addNeighbour(relay)
    // On a fresh stream, and on one that was kept.
    for (const headers of [{ authorization: 'Negotiate x' }, {}]) {
      const page = await relay.visit({ path: '/odd', headers })
      expect([page.status, page.body]).toEqual([502, expect.stringContaining('broke off')])
      expect((await relay.visit()).status).toBe(204)
    }
    expect(await neighbour()).toBe('hello')
  },
)

test('R9 [A14] an answer longer than its length ends there, and never runs into the next one', async () => {
  const relay = await setUp({
    '/long': 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmoreHTTP/1.1 200 OK\r\n\r\nsmuggled',
  })
  const neighbour = await addNeighbour(relay)
  const got = await relay.ask('GET /long HTTP/1.1')
  expect(got).toMatch(/\r\n\r\nmore$/)
  expect(got).not.toContain('smuggled')
  expect((await relay.visit()).status).toBe(204)
  expect(await neighbour()).toBe('hello')
})

const withBody = (status: number) =>
  `HTTP/1.1 ${status} Some\r\nContent-Type: text/plain\r\n\r\nHTTP/1.1 200 OK\r\n\r\nsmuggled`

test('R9 [A12] an answer that may have no body has none, whatever the service sends', async () => {
  const { ask, visit } = await setUp({
    '/204': withBody(204),
    '/304': withBody(304),
    '/200': withBody(200),
  })
  const requests = ['GET /204 HTTP/1.1', 'GET /304 HTTP/1.1', 'HEAD /200 HTTP/1.1']
  const answers = await Promise.all(requests.map((request) => ask(request)))
  expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['204', '304', '200'])
  expect(answers.join('')).not.toContain('smuggled')
  expect((await visit()).status).toBe(204)
})

test('R9 an HTTP/1.0 visitor gets a body without chunks, whole or cut', async () => {
  const { ask } = await setUp({
    '/whole':
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\none \r\n3\r\ntwo\r\n0\r\n\r\n',
  })
  const answer = await ask('GET /whole HTTP/1.0')
  expect(answer).toMatch(/\r\n\r\none two$/)
  expect(answer).not.toMatch(/transfer-encoding/i)
})

test('R9 [A12] an answer has as many headers as its service sends', async () => {
  const names = Array.from({ length: 3000 }, (_, at) => `X-${at}`)
  const { ask } = await setUp({
    '/many': `HTTP/1.1 200 OK\r\nContent-Length: 0\r\n${names.map((name) => `${name}: 1\r\n`).join('')}\r\n`,
  })
  expect((await ask('GET /many HTTP/1.1')).match(/^x-\d+: 1\r$/gm)).toHaveLength(names.length)
})

test('[A12] [A21] chunk extensions end at the server, and endless ones end their answer', async () => {
  const chunks =
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;a="HTTP/1.1 200 OK"\r\nown \r\n'
  const { ask, visit } = await setUp({
    '/chunks': `${chunks}3;b\r\none\r\n0;c=d\r\n\r\n`,
    '/endless': `${chunks}3;${'b'.repeat(100_000)}`,
    '/odd': `${chunks}3x\r\none\r\n0\r\n\r\n`,
  })
  expect((await visit({ path: '/chunks' })).body).toBe('own one')
  expect(await ask('GET /chunks HTTP/1.1')).not.toMatch(/;/)
  await expect(visit({ path: '/endless' })).rejects.toThrow(/aborted|hang up/)
  await expect(visit({ path: '/odd' })).rejects.toThrow(/aborted|hang up/)
  expect((await visit()).status).toBe(204)
})

test('R9 R48 [A12] an answer reveals nothing about the connection that it came over', async () => {
  const { ask } = await setUp({
    '/own': [
      'HTTP/1.1 200 OK',
      'Alt-Svc: h3=":443"',
      'Connection: keep-alive, X-Hop',
      'Keep-Alive: timeout=77',
      'Proxy-Authenticate: Basic',
      'Proxy-Connection: close',
      'TE: gzip',
      'Upgrade: h2c',
      'X-Hop: here',
      'Astropelago-Relay-Error: refused',
      'Set-Cookie: a=b; Domain=localhost',
      'Set-Cookie: __Host-astropelago_visit=forged; Secure; Path=/',
      'Set-Cookie: astropelago_session=forged',
      'Strict-Transport-Security: max-age=1',
      'Content-Length: 1',
      '\r\nx',
    ].join('\r\n'),
  })
  const answer = await ask('GET /own HTTP/1.1')
  expect(answer).toContain('a=b\r\n')
  expect(answer).toContain('strict-transport-security: max-age=1\r\n')
  expect(answer).not.toMatch(/forged|domain=|alt-svc|77|proxy-|^te:|upgrade|hop|relay-error/im)
})

test('R9 endless answers that nobody reads hold no more than their windows', async () => {
  let written = 0
  const { begin, visit } = await setUp({
    '/endless': (stream) => {
      stream.write('HTTP/1.1 200 OK\r\n\r\n')
      const piece = Buffer.alloc(65_536)
      const write = () => {
        while (!stream.destroyed) {
          written += piece.length
          if (!stream.write(piece)) {
            stream.once('drain', write)
            return
          }
        }
      }
      write()
    },
  })
  const readers = await Promise.all(Array.from({ length: 20 }, () => begin({ path: '/endless' })))
  let before = -1
  await expect
    .poll(
      () => {
        const isStill = written === before
        before = written
        return isStill
      },
      { interval: 300, timeout: 20_000 },
    )
    .toBe(true)
  expect(written / readers.length).toBeLessThan(8 * 1024 * 1024)
  // Their shared connection still carries others.
  expect((await visit()).status).toBe(204)
  for (const reader of readers) reader.destroy()
})

test('R3 [A12] a service that sends 100 without end gets 16 of them through', async () => {
  const { ask } = await setUp({
    '/continue': `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(500)}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`,
    '/hints': `${'HTTP/1.1 103 Early\r\nLink: </a>; rel=preload\r\n\r\n'.repeat(50)}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`,
  })
  const got = await ask('POST /continue HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4')
  expect(got.match(/HTTP\/1\.1 100 /g)).toHaveLength(16)
  expect(got).toContain('HTTP/1.1 200 ')
  const hints = await ask('GET /hints HTTP/1.1')
  expect(hints.match(/HTTP\/1\.1 103 /g)).toHaveLength(16)
  expect(hints).toContain('HTTP/1.1 200 ')
})

test.each([
  ['PINGs', frame(frameTypes.ping, 0, Buffer.alloc(8))],
  ['AWAYs', frame(frameTypes.away, 0)],
  ['RESETs', frame(frameTypes.reset, 0)],
])(
  'R3 an agent that floods its connection with %s keeps no other island’s visitor waiting',
  async (_, one) => {
    const relay = await shareRelayApp()
    const askNeighbour = await addNeighbour(relay)
    const { wire } = await connectAgent(relay.url, relay.token)
    const flood = Buffer.concat(Array.from({ length: 500 }, () => one))
    for (let times = 0; times < 100; times += 1) {
      if (!wire.destroyed) wire.write(flood)
      const askedMs = performance.now()
      expect(await askNeighbour()).toBe('hello')
      expect(performance.now() - askedMs).toBeLessThan(1000)
    }
  },
)
