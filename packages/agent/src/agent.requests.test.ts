import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import http2, { type ClientHttp2Session } from 'node:http2'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { HomeService } from './testing/home-service.ts'
import { listen } from './testing/listen.ts'
import { ask, islandHost, leave, open, readAnswer, RelayPeer } from './testing/relay-peer.ts'
import { runAgent, type RunningAgent } from './testing/run-agent.ts'

const { NGHTTP2_INTERNAL_ERROR } = http2.constants

let peer: RelayPeer
let service: HomeService
let agent: RunningAgent
let session: ClientHttp2Session

beforeAll(async () => {
  service = await HomeService.start()
  peer = await RelayPeer.start()
  agent = await runAgent(['--server', peer.url, '--to', service.url])
  session = await peer.connected()
})

afterAll(async () => {
  await agent.stop()
  await peer.close()
  await service.close()
})

const manyHeaders = Array.from({ length: 1900 }, (_, at) => `x-${at}: \r\n`).join('')

/** A service that answers each connection with these bytes, whatever the request. */
async function rawSession(bytes: string, isEnding = false): Promise<ClientHttp2Session> {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(bytes, 'latin1')
      if (isEnding) socket.end()
    })
  })
  const port = await listen(server)
  return await sessionFor(['--to', `http://localhost:${port}`], () => server.close())
}

async function sessionFor(
  args: readonly string[],
  close: () => unknown = () => undefined,
  speed = 1,
): Promise<ClientHttp2Session> {
  const own = await RelayPeer.start({ pingMs: 5000 / speed })
  const running = await runAgent(['--server', own.url, ...args], { speed })
  onTestFinished(async () => {
    await running.stop()
    await own.close()
    await close()
  })
  return await own.connected()
}

describe('a request', () => {
  test('[A10] reaches the service as HTTP/1.1, with the island’s host and the visitor’s headers', async () => {
    let asked: IncomingMessage | undefined
    const path = service.serve((request, response) => {
      asked = request
      response.end('hello')
    })
    const answer = await ask(session, `${path}?a=%20b`, {
      cookie: ['a=1', 'b=2'],
      'x-forwarded-proto': 'https',
      'astropelago-user': 'nova',
      te: 'trailers',
    })
    expect(answer.body.toString()).toBe('hello')
    expect(asked?.httpVersion).toBe('1.1')
    expect(asked?.url).toBe(`${path}?a=%20b`)
    expect(asked?.headers).toMatchObject({
      host: islandHost,
      cookie: 'a=1; b=2',
      'x-forwarded-proto': 'https',
      'astropelago-user': 'nova',
    })
    expect(asked?.headers['content-length'] ?? asked?.headers['transfer-encoding']).toBeUndefined()
  })

  test('[A10] has the Host that --host-header names', async () => {
    const path = service.serve((request, response) => response.end(request.headers.host))
    const own = await sessionFor(['--to', service.url, '--host-header', 'app.local:81'])
    expect((await ask(own, path)).body.toString()).toBe('app.local:81')
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'GET'])(
    '[A11] %s with a body without a length is sent in chunks',
    async (method) => {
      const path = service.serve(async (request, response) => {
        const { 'transfer-encoding': encoding, 'content-length': length } = request.headers
        response.end(`${request.method} ${encoding} ${length} ${await text(request)}`)
      })
      const answer = await ask(session, path, { ':method': method }, 'one two')
      expect(answer.body.toString()).toBe(`${method} chunked undefined one two`)
    },
  )

  test('[A11] keeps a length that the visitor gave', async () => {
    const path = service.serve(async (request, response) => {
      const { 'transfer-encoding': encoding, 'content-length': length } = request.headers
      response.end(`${encoding} ${length} ${await text(request)}`)
    })
    const headers = { ':method': 'POST', 'content-length': 7 }
    const answer = await ask(session, path, headers, 'one two')
    expect(answer.body.toString()).toBe('undefined 7 one two')
  })

  test('[A11] with a wrong length never reaches the service complete', async () => {
    let isWhole = false
    const cut = new Promise((resolve) => {
      const path = service.serve((request) => {
        request.on('end', () => (isWhole = true))
        request.on('error', resolve)
        request.once('data', () => stream.end())
      })
      const stream = open(session, path, { ':method': 'POST', 'content-length': 7 })
      stream.write('one')
    })
    await cut
    expect(isWhole).toBe(false)
  })

  test('[A11] carries trailers to the service', async () => {
    const path = service.serve(async (request, response) => {
      await text(request)
      response.end(request.trailers['x-sum'])
    })
    const stream = open(session, path, { ':method': 'POST' }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': 'abc' }))
    stream.end('body')
    expect((await readAnswer(stream)).body.toString()).toBe('abc')
  })

  test('[A11] is streamed: the service gets the first part before the second is sent', async () => {
    const path = service.serve(async (request, response) => {
      response.writeHead(200).flushHeaders()
      for await (const part of request) response.write(part)
      response.end()
    })
    const stream = open(session, path, { ':method': 'POST' })
    for (const part of ['one', 'two', 'three']) {
      stream.write(part)
      const [echo]: Buffer[] = await once(stream, 'data')
      expect(echo?.toString()).toBe(part)
    }
    stream.end()
    await once(stream, 'end')
  })

  test('[A11] 100 Continue comes from the service, before the body is sent', async () => {
    const path = service.serve(async (request, response) => response.end(await text(request)))
    const headers = { ':method': 'POST', expect: '100-continue' }
    const stream = open(session, path, headers)
    const [interim]: http2.IncomingHttpHeaders[] = await once(stream, 'headers')
    expect(interim?.[':status']).toBe(100)
    stream.end('asked for')
    expect((await readAnswer(stream)).body.toString()).toBe('asked for')
  })

  test('[A15] that a visitor cancels ends at the service, and half a body never seems complete', async () => {
    let isWhole = false
    const ended = new Promise((resolve) => {
      const path = service.serve((request, response) => {
        request.on('end', () => (isWhole = true))
        request.on('error', () => undefined)
        response.on('close', resolve)
        request.once('data', () => leave(stream))
      })
      const stream = open(session, path, { ':method': 'POST' })
      stream.write('half')
    })
    await ended
    expect(isWhole).toBe(false)
  })

  test('[A8] can have 32 KiB of headers', async () => {
    const path = service.serve((request, response) => {
      const { 'x-1': first = '', 'x-2': second = '', 'x-3': third = '' } = request.headers
      response.end(String(first.length + second.length + third.length))
    })
    const [one, two, three] = ['a', 'b', 'c'].map((letter) => letter.repeat(10_900))
    const headers = { 'x-1': one, 'x-2': two, 'x-3': three }
    expect((await ask(session, path, headers)).body.toString()).toBe('32700')
  })

  test('[A8] can be one of 1,000, with windows of 1 MiB, and open a WebSocket', () => {
    expect(session.remoteSettings).toMatchObject({
      maxConcurrentStreams: 1000,
      initialWindowSize: 2 ** 20,
      maxHeaderListSize: 65_536,
      enableConnectProtocol: true,
    })
    expect(session.state.remoteWindowSize).toBeGreaterThan(15 * 2 ** 20)
  })

  test('R48 [A8] is answered among 400 simultaneous ones', async () => {
    const path = service.serve((request, response) => response.end(request.url))
    const paths = Array.from({ length: 400 }, (_, at) => `${path}?${at}`)
    const answers = await Promise.all(paths.map((each) => ask(session, each)))
    expect(answers.map(({ body }) => body.toString())).toEqual(paths)
  })

  test('[A11] is repeated on a new connection if a kept one was closed', async () => {
    let asked = 0
    const path = service.serve((request, response) => {
      asked += 1
      response.end('once')
      // Closed without notice, as services do with idle connections.
      response.once('finish', () => setImmediate(() => request.socket.destroy()))
    })
    for (let at = 0; at < 20; at += 1) {
      expect((await ask(session, path)).status).toBe(200)
      const posted = await ask(session, path, { ':method': 'POST' }, 'x')
      expect(posted.status).toBe(200)
    }
    expect(asked).toBe(40)
  })

  test('[A11] is repeated only if that is safe, also if the service closes the kept connection on it', async () => {
    const asked: (string | undefined)[] = []
    const path = service.serve((request, response) => {
      asked.push(request.method)
      // The first request is answered and its connection kept. The second one uses it.
      if (asked.length === 1 || asked.length === 3) response.end()
      else request.socket.destroy()
    })
    expect((await ask(session, path)).status).toBe(200)
    expect((await ask(session, path)).status).toBe(200)
    expect((await ask(session, path, { ':method': 'POST' }, 'x')).status).toBe(502)
    expect(asked).toEqual(['GET', 'GET', 'GET', 'POST'])
  })

  test('[A11] reuses a kept connection without leaving listeners on it', async () => {
    const ports = new Set<number | undefined>()
    const path = service.serve((request, response) => {
      ports.add(request.socket.remotePort)
      response.end()
    })
    for (let n = 0; n < 20; n += 1) expect((await ask(session, path)).body.length).toBe(0)
    expect(ports.size).toBeLessThan(20)
    // Node warns from the eleventh listener on.
    expect(agent.lines().filter((line) => line.includes('leak'))).toEqual([])
  })
})

describe('an answer', () => {
  test('[A12] has the service’s status, headers, body and trailers', async () => {
    const path = service.serve((_, response) => {
      response.writeHead(418, {
        'Set-Cookie': ['a=1', 'b=2'],
        'Content-Disposition': 'attachment; filename="caf\u00e9.txt"',
        Trailer: 'X-Sum',
      })
      response.write('tea')
      response.addTrailers({ 'X-Sum': 'abc' })
      response.end()
    })
    const answer = await ask(session, path)
    expect(answer.status).toBe(418)
    expect(answer.headers).toMatchObject({
      'set-cookie': ['a=1', 'b=2'],
      'content-disposition': 'attachment; filename="caf\u00e9.txt"',
    })
    expect(answer.body.toString()).toBe('tea')
    expect(answer.trailers['x-sum']).toBe('abc')
  })

  test('R48 [A12] loses connection headers and headers that only the agent can send', async () => {
    const path = service.serve((_, response) => {
      response.writeHead(200, {
        Connection: 'close, X-Hop',
        'Keep-Alive': 'timeout=5',
        'Proxy-Connection': 'close',
        Upgrade: 'h2c',
        TE: 'gzip',
        'X-Hop': 'here',
        'Astropelago-Relay-Error': 'refused',
        'X-Kept': 'yes',
        Trailer: 'Astropelago-Relay-Error',
      })
      response.write('x')
      response.addTrailers({ 'Astropelago-Relay-Error': 'reset' })
      response.end()
    })
    const answer = await ask(session, path)
    const names = Object.keys(answer.headers).filter((name) => !name.startsWith(':'))
    expect(names).toEqual(expect.arrayContaining(['x-kept', 'date']))
    expect(names.filter((name) => !['x-kept', 'date', 'trailer'].includes(name))).toEqual([])
    expect(Object.keys(answer.trailers)).toEqual([])
  })

  test('[A12] HEAD has the length and no body', async () => {
    const path = service.serve((_, response) => {
      response.writeHead(200, { 'Content-Length': 12 }).end()
    })
    const answer = await ask(session, path, { ':method': 'HEAD' })
    expect([answer.status, answer.headers['content-length'], answer.body.length]).toEqual([
      200,
      '12',
      0,
    ])
  })

  test.each([204, 304])('[A12] %s has no body', async (status) => {
    const path = service.serve((_, response) => {
      response.writeHead(status, { ETag: '"a"' }).end()
    })
    const answer = await ask(session, path)
    expect([answer.status, answer.headers['etag'], answer.body.length]).toEqual([status, '"a"', 0])
  })

  test('[A12] interim answers pass, up to a limit', async () => {
    const path = service.serve((_, response) => {
      for (let at = 0; at < 50; at += 1)
        response.writeEarlyHints({ link: `</${at}.css>; rel=preload` })
      response.end('done')
    })
    const answer = await ask(session, path)
    expect(answer.interim.length).toBe(16)
    expect(answer.interim[0]).toMatchObject({ ':status': 103, link: '</0.css>; rel=preload' })
    expect(answer.body.toString()).toBe('done')
  })

  test('[A12] each event of a stream arrives before the next one is sent', async () => {
    let send: ((text: string) => void) | undefined
    const path = service.serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
      send = (line) => response.write(line)
    })
    const stream = open(session, path)
    await once(stream, 'response')
    for (const event of ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']) {
      send?.(event)
      const [part]: Buffer[] = await once(stream, 'data')
      expect(part?.toString()).toBe(event)
    }
    leave(stream)
  })

  test('[A12] 8 MiB pass both ways unchanged', async () => {
    const path = service.serve((request, response) => request.pipe(response))
    const body = randomBytes(8 * 2 ** 20)
    const answer = await ask(session, path, { ':method': 'POST' }, body)
    expect(answer.body.equals(body)).toBe(true)
  })

  test.each([
    ['with a length', 'Content-Length: 9\r\n\r\ntoo large'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n9\r\ntoo large\r\n0\r\n\r\n'],
  ])(
    '[A12] %s before the end of the request is complete, and the rest of the request is refused',
    async (_, rest) => {
      const own = await rawSession(`HTTP/1.1 413 Too large\r\nConnection: close\r\n${rest}`, true)
      const stream = open(own, '/', { ':method': 'POST' })
      // The request never ends.
      stream.write(Buffer.alloc(100_000))
      const answer = await readAnswer(stream)
      expect([answer.status, answer.body.toString()]).toEqual([413, 'too large'])
    },
  )

  test('[A14] that stops in the middle is cut, not ended', async () => {
    const path = service.serve((_, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('half')
      setImmediate(() => response.destroy())
    })
    await expect(ask(session, path)).rejects.toThrow(`code ${NGHTTP2_INTERNAL_ERROR}`)
  })

  test('[A14] in chunks that stops in the middle is cut, not ended', async () => {
    const path = service.serve((_, response) => {
      response.writeHead(200).write('half')
      setImmediate(() => response.destroy())
    })
    await expect(ask(session, path)).rejects.toThrow(`code ${NGHTTP2_INTERNAL_ERROR}`)
  })

  test('[A14] shorter than its length is cut, and a longer one ends at its length', async () => {
    const short = await rawSession('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort', true)
    await expect(ask(short, '/')).rejects.toThrow(`code ${NGHTTP2_INTERNAL_ERROR}`)
    const long = await rawSession('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlonger')
    expect((await ask(long, '/')).body.toString()).toBe('long')
  })

  test('[A12] without a length ends with its connection', async () => {
    const own = await rawSession('HTTP/1.0 200 OK\r\n\r\nto the end', true)
    expect((await ask(own, '/')).body.toString()).toBe('to the end')
  })

  test('R48 [A15] that nobody reads is not read from the service', async () => {
    let written = 0
    const { promise: stopped, resolve: noteStop } = Promise.withResolvers<void>()
    const path = service.serve((_, response) => {
      const chunk = Buffer.alloc(64 * 1024)
      const write = () => {
        let hasRoom = true
        while (hasRoom && written < 2 ** 28) {
          written += chunk.length
          hasRoom = response.write(chunk)
        }
        const timer = setTimeout(noteStop, 1000)
        response.once('drain', () => {
          clearTimeout(timer)
          write()
        })
      }
      write()
    })
    const stream = open(session, path)
    await once(stream, 'response')
    await stopped
    // One window in between, and the buffers of sockets and streams.
    expect(written).toBeLessThan(2 ** 25)
    expect(
      (
        await ask(
          session,
          service.serve((_, response) => response.end('other')),
        )
      ).status,
    ).toBe(200)
    leave(stream)
  })

  test('R48 [A15] a body that the service does not read waits, and other requests continue', async () => {
    const path = service.serve(() => undefined)
    const streams = Array.from({ length: 24 }, () => {
      const stream = open(session, path, { ':method': 'POST' })
      stream.write(Buffer.alloc(2 * 2 ** 20))
      return stream
    })
    const echo = service.serve((request, response) => request.pipe(response))
    const answer = await ask(session, echo, { ':method': 'POST' }, Buffer.alloc(2 ** 21))
    expect(answer.body.length).toBe(2 ** 21)
    for (const stream of streams) leave(stream)
  })
})

describe('a service that', () => {
  test.each([
    [
      'switches protocols unasked',
      'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
    ['says 101 and no protocol', 'HTTP/1.1 101 Switching\r\n\r\n'],
    ['frames twice', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['has two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'],
    ['has a status that nobody knows', 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'],
    ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['has headers that are too large', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`],
    ['has too many headers', `HTTP/1.1 200 OK\r\n${manyHeaders}\r\n`],
  ])('R48 [A16] %s gives a bad answer', async (_, bytes) => {
    const answer = await ask(await rawSession(bytes), '/')
    expect(answer.status).toBe(502)
    expect(answer.headers['astropelago-relay-error']).toBe('bad-answer')
    expect(answer.body.length).toBe(0)
  })

  test('[A16] does not run is refused, and the log has a line at each change', async () => {
    const home = await HomeService.start()
    const { port } = home
    await home.close()
    const own = await RelayPeer.start()
    const running = await runAgent(['--server', own.url, '--to', `http://localhost:${port}`])
    onTestFinished(async () => {
      await running.stop()
      await own.close()
    })
    const connected = await own.connected()
    for (let at = 0; at < 3; at += 1) {
      const answer = await ask(connected, '/', { ':method': 'POST' }, Buffer.alloc(100_000))
      expect([answer.status, answer.headers['astropelago-relay-error']]).toEqual([502, 'refused'])
    }
    const back = net.createServer((socket) => {
      socket.on('error', () => undefined)
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    })
    back.listen(port, '127.0.0.1')
    await once(back, 'listening')
    onTestFinished(() => void back.close())
    for (let at = 0; at < 3; at += 1) expect((await ask(connected, '/')).status).toBe(200)
    await running.says(/ answers again$/)
    expect(running.lines().filter((line) => line.startsWith('http:'))).toEqual([
      `http://localhost:${port} can't be reached: nothing listens there (ECONNREFUSED)`,
      `http://localhost:${port} answers again`,
    ])
  })

  test('[A16] closes without an answer is a reset', async () => {
    const path = service.serve((request) => request.socket.destroy())
    const answer = await ask(session, path, { ':method': 'POST' }, 'x')
    expect([answer.status, answer.headers['astropelago-relay-error']]).toEqual([502, 'reset'])
  })

  test('[A16] does not answer within 55 s is a timeout', async () => {
    const path = service.serve(() => undefined)
    const own = await sessionFor(['--to', service.url], undefined, 40)
    const answer = await ask(own, path)
    expect([answer.status, answer.headers['astropelago-relay-error']]).toEqual([504, 'timeout'])
  })

  test.each([
    ['127.0.0.1', 'localhost'],
    ['::1', '[::1]'],
  ])('[A10] listens only at %s is found', async (host, name) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined)
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi')
    })
    const port = await listen(server, host)
    const own = await sessionFor(['--to', `http://${name}:${port}`], () => server.close())
    expect((await ask(own, '/')).body.toString()).toBe('hi')
  })
})

describe('a redirect', () => {
  const own = `https://${islandHost}`
  test.each([
    [
      'to the service’s address',
      (port: number) => `http://localhost:${port}/a?b=c#d`,
      `${own}/a?b=c#d`,
    ],
    ['to another name of this machine', (port: number) => `http://127.0.0.1:${port}/a`, `${own}/a`],
    ['without a scheme', (port: number) => `//localhost:${port}/a`, `${own}/a`],
    [
      'to the island by http, of a service that knows of no TLS',
      () => `http://${islandHost}/a`,
      `${own}/a`,
    ],
    ['to another port', () => 'http://localhost:1/a', 'http://localhost:1/a'],
    ['to another host', () => 'https://example.org/a', 'https://example.org/a'],
    ['that is relative', () => '/a', '/a'],
    ['that is no address', () => 'http://[', 'http://['],
  ])('[A13] %s', async (_, location, expected) => {
    const path = service.serve((_request, response) => {
      response.writeHead(302, { Location: location(service.port) }).end()
    })
    expect((await ask(session, path)).headers.location).toBe(expected)
  })
})

test('[A13] a redirect of a service on another machine to its own localhost leads to the island, except to another port', async () => {
  const { port } = service
  const locations = [
    `http://localhost:${port}/login`,
    `http://127.0.0.1:${port}/`,
    'http://[::1]:1/',
  ]
  const path = service.serve((request, response) => {
    const at = Number(new URL(request.url ?? '', 'http://a').search.slice(1))
    response.writeHead(302, { Location: locations[at] }).end()
  })
  // An address that does not look like loopback, as if it were another machine's.
  const own = await sessionFor(['--to', `http://[::ffff:127.0.0.1]:${port}`])
  const answers = await Promise.all(locations.map((_, at) => ask(own, `${path}?${at}`)))
  expect(answers.map(({ headers }) => headers.location)).toEqual([
    `https://${islandHost}/login`,
    `https://${islandHost}/`,
    'http://[::1]:1/',
  ])
})

test('R48 [A9] 1,500 visitors who leave early end no connection, with less than 800 resets per session', async () => {
  const path = service.serve((_, response) => {
    response.writeHead(200).flushHeaders()
  })
  const own = await RelayPeer.start()
  const running = await runAgent(['--server', own.url, '--to', service.url])
  onTestFinished(async () => {
    await running.stop()
    await own.close()
  })
  for (let sessions = 0; sessions < 2; sessions += 1) {
    const connected = await own.connected()
    for (let at = 0; at < 750; at += 50) {
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const stream = open(connected, path)
          await once(stream, 'response')
          leave(stream)
        }),
      )
    }
    expect(
      (
        await ask(
          connected,
          service.serve((_, response) => response.end('well')),
        )
      ).status,
    ).toBe(200)
    connected.goaway(0)
  }
  await own.connected()
  expect(running.lines().filter((line) => line.startsWith('connection lost'))).toEqual([])
})
