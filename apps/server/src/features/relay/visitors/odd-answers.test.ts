import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ServerHttp2Stream } from 'node:http2'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connectAgent } from '../../../test/relay-agent.ts'
import { shareRelayApp, makeRelayedIsland } from '../../../test/relay-app.ts'

/** What an agent sends for each path, valid or not. */
type Answers = Readonly<Record<string, (stream: ServerHttp2Stream) => void>>

async function setUp(answers: Answers) {
  const relay = await shareRelayApp()
  const agent = await connectAgent(relay.url, relay.token, {
    onStream: (stream, headers) => {
      const answer = answers[String(headers[':path'])]
      if (answer === undefined) stream.respond({ ':status': 204 }, { endStream: true })
      else answer(stream)
    },
  })
  await expect.poll(async () => (await relay.visit()).status).toBe(204)
  /** Returns the bytes that a visitor gets. */
  const ask = async (request: string) => {
    const socket = connect(relay.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(`${request}\r\nHost: ${relay.hostName}\r\nConnection: close\r\n\r\n`)
    let got = ''
    socket.on('data', (chunk) => (got += String(chunk)))
    await once(socket, 'close')
    return got
  }
  return { ...relay, agent, ask }
}

/** Adds another host's island, whose visitors must not be affected. */
async function addNeighbour({ url, signUp, visit }: Awaited<ReturnType<typeof shareRelayApp>>) {
  const { token, slug } = await makeRelayedIsland(await signUp())
  await connectAgent(url, token)
  const ask = async () => (await visit({ host: `${slug}.localhost` })).body
  await expect.poll(ask).toBe('hello')
  return ask
}

test.each([
  [
    'with headers above 64 KiB',
    (stream: ServerHttp2Stream) =>
      stream.respond({ ':status': 200, 'x-large': 'x'.repeat(100_000) }, { endStream: true }),
  ],
  [
    'without a final status',
    (stream: ServerHttp2Stream) => {
      stream.additionalHeaders({ ':status': 102 })
      setImmediate(() => stream.close())
    },
  ],
  ['that stops before it begins', (stream: ServerHttp2Stream) => stream.destroy()],
])('R9 an answer %s becomes a page of ours, and other islands lose nothing', async (_, answer) => {
  const relay = await setUp({ '/odd': answer })
  const neighbour = await addNeighbour(relay)
  expect([502, 503]).toContain((await relay.visit({ path: '/odd' })).status)
  expect(await neighbour()).toBe('hello')
})

test('R9 an answer longer than its length never runs into the next one', async () => {
  const relay = await setUp({
    '/long': (stream) => {
      stream.respond({ ':status': 200, 'content-length': '4' })
      stream.end('morHTTP/1.1 200 OK\r\n\r\nsmuggled')
    },
  })
  const neighbour = await addNeighbour(relay)
  expect(await relay.ask('GET /long HTTP/1.1')).not.toContain('smuggled')
  expect(await neighbour()).toBe('hello')
})

const withBody = (status: number) => (stream: ServerHttp2Stream) => {
  stream.respond({ ':status': status, 'content-type': 'text/plain' })
  stream.end('HTTP/1.1 200 OK\r\n\r\nsmuggled')
}

test('R9 an answer that may have no body has none, whatever the agent sends', async () => {
  const { ask, visit } = await setUp({
    '/204': withBody(204),
    '/304': withBody(304),
    '/200': withBody(200),
  })
  const requests = ['GET /204 HTTP/1.1', 'GET /304 HTTP/1.1', 'HEAD /200 HTTP/1.1']
  const answers = await Promise.all(requests.map((request) => ask(request)))
  expect(answers.join('')).not.toContain('smuggled')
  expect((await visit()).status).toBe(204)
})

test('R9 an HTTP/1.0 visitor gets a body without chunks, whole or cut', async () => {
  const { ask } = await setUp({
    '/whole': (stream) => {
      stream.respond({ ':status': 200 })
      stream.write('one ')
      setImmediate(() => stream.end('two'))
    },
  })
  const answer = await ask('GET /whole HTTP/1.0')
  expect(answer).toMatch(/\r\n\r\none two$/)
  expect(answer).not.toMatch(/transfer-encoding/i)
})

test('R9 an answer reveals nothing about the connection that it came over', async () => {
  const { ask } = await setUp({
    '/own': (stream) => {
      stream.respond({
        ':status': 200,
        'alt-svc': 'h3=":443"',
        'proxy-authenticate': 'Basic',
        'set-cookie': [
          'a=b; Domain=localhost',
          '__Host-astropelago_visit=forged; Secure; Path=/',
          'astropelago_session=forged',
        ],
        'strict-transport-security': 'max-age=1',
      })
      stream.end('x')
    },
  })
  const answer = await ask('GET /own HTTP/1.1')
  expect(answer).toContain('a=b\r\n')
  expect(answer).not.toMatch(/forged|domain=|alt-svc|proxy-authenticate/i)
})

test('R9 endless answers that nobody reads hold no more than their windows', async () => {
  let written = 0
  const { begin, visit } = await setUp({
    '/endless': (stream) => {
      stream.respond({ ':status': 200 })
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

test('R3 an agent that sends 100 without end gets 16 of them through', async () => {
  const { ask } = await setUp({
    '/continue': (stream) => {
      for (let times = 0; times < 500; times += 1) stream.additionalHeaders({ ':status': 100 })
      stream.respond({ ':status': 200 }, { endStream: true })
    },
  })
  const got = await ask('POST /continue HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4')
  expect(got.match(/HTTP\/1\.1 100 /g)).toHaveLength(16)
  expect(got).toContain('HTTP/1.1 200 ')
})

/** https://www.rfc-editor.org/rfc/rfc9113#section-4.1 */
const frame = (type: number, payload: Buffer = Buffer.alloc(0)) =>
  Buffer.concat([Buffer.from([0, 0, payload.length, type, 0, 0, 0, 0, 0]), payload])

test.each([
  ['PINGs', frame(6, Buffer.alloc(8))],
  ['SETTINGS', frame(4)],
])(
  'R3 an agent that floods its connection with %s keeps no other island’s visitor waiting',
  async (_, one) => {
    const relay = await shareRelayApp()
    const askNeighbour = await addNeighbour(relay)
    const socket = connect(relay.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    socket.write(
      [
        'GET /api/relay/connect HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${relay.token}`,
        `Astropelago-Agent: ${randomUUID()}`,
        'Connection: Upgrade',
        'Upgrade: astropelago-relay/1',
        '\r\n',
      ].join('\r\n'),
    )
    await once(socket, 'data')
    socket.resume()
    socket.write(frame(4))
    const flood = Buffer.concat(Array.from({ length: 500 }, () => one))
    for (let times = 0; times < 100; times += 1) {
      socket.write(flood)
      const askedMs = performance.now()
      expect(await askNeighbour()).toBe('hello')
      expect(performance.now() - askedMs).toBeLessThan(1000)
    }
  },
)
