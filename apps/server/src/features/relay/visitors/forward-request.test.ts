import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { connect } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { connectAgent, noise, type OnStream } from '../../../test/relay-agent.ts'
import { createRelayApp, shareRelayApp } from '../../../test/relay-app.ts'

async function setUp(onStream: OnStream, opening = shareRelayApp()) {
  const relay = await opening
  const agent = await connectAgent(relay.url, relay.token, { onStream })
  await expect.poll(async () => (await relay.visit({ method: 'OPTIONS' })).status).not.toBe(503)
  /** A request whose body is still to be written. */
  const send = (headers: Record<string, string> = {}) => {
    const sent = request({
      host: '127.0.0.1',
      port: relay.port,
      method: 'POST',
      agent: false,
      headers: { host: relay.hostName, ...headers },
    })
    sent.on('error', () => undefined)
    onTestFinished(() => void sent.destroy())
    return sent
  }
  return { ...relay, agent, send }
}

/** Handles requests with one method, and answers all others with 204. */
const only =
  (method: string, onStream: OnStream): OnStream =>
  (stream, headers) => {
    if (headers[':method'] === method) onStream(stream, headers)
    else stream.respond({ ':status': 204 }, { endStream: true })
  }

/** The visitor's address as a proxy reports it. */
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

const answerOf = (sent: ClientRequest) =>
  new Promise<IncomingMessage>((resolve) => sent.once('response', resolve))

/** Answers with only a status. */
const empty =
  (status: number): OnStream =>
  (stream) =>
    stream.respond({ ':status': status }, { endStream: true })

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

test('S56 R2 [A10] a service receives the request with its visitor’s address, and the visitor its answer', async () => {
  const { visit, hostName } = await setUp((stream, headers) => {
    stream.respond({
      ':status': 418,
      'x-pot': 'tea',
      'set-cookie': ['a=b; Domain=localhost', 'c=d; HttpOnly'],
      'alt-svc': 'h3=":443"',
    })
    stream.end(JSON.stringify(headers))
  })
  const { status, headers, body } = await visit({
    path: '/pot?milk=no',
    headers: {
      'x-forwarded-for': '6.6.6.6',
      'x-forwarded-host': 'evil.example',
      'astropelago-user': 'operator',
      astropelago_user: 'operator',
      cookie: 'astropelago_session=secret; theme=dark',
    },
  })
  expect(status).toBe(418)
  expect(headers).toMatchObject({ 'x-pot': 'tea', 'set-cookie': ['a=b', 'c=d; HttpOnly'] })
  expect(headers).not.toHaveProperty('alt-svc')
  const received: unknown = JSON.parse(body)
  expect(received).toMatchObject({
    ':method': 'GET',
    ':path': '/pot?milk=no',
    ':scheme': 'http',
    ':authority': hostName,
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-host': hostName,
    'x-forwarded-proto': 'http',
    cookie: 'theme=dark',
  })
  expect(JSON.stringify(received)).not.toMatch(/operator|secret|6\.6\.6\.6|evil/)
})

test('[A12] a download arrives as sent, and no faster than its visitor reads it', async () => {
  const bytes = noise(24 * 1024 * 1024)
  let written = 0
  const { begin } = await setUp(
    only('GET', (stream) => {
      stream.respond({ ':status': 200, 'content-length': String(bytes.length) })
      const step = 64 * 1024
      const write = () => {
        while (written < bytes.length) {
          const more = stream.write(bytes.subarray(written, written + step))
          written += step
          if (!more) {
            stream.once('drain', write)
            return
          }
        }
        stream.end()
      }
      write()
    }),
  )
  const answer = await begin()
  // Only the buffers and windows in between fill up.
  let before = -1
  await expect
    .poll(
      () => {
        const isStill = written === before
        before = written
        return isStill
      },
      { interval: 200 },
    )
    .toBe(true)
  expect(written).toBeLessThan(bytes.length)
  expect(sha256(await bytesOf(answer))).toBe(sha256(bytes))
})

test('[A11] an upload arrives as sent, and no faster than the service reads it', async () => {
  const bytes = noise(24 * 1024 * 1024)
  const { promise: taken, resolve: take } = Promise.withResolvers<ServerHttp2Stream>()
  const { send } = await setUp(only('POST', (stream) => take(stream)))
  const sent = send({ 'content-length': String(bytes.length) })
  let offered = 0
  const source = (function* () {
    for (; offered < bytes.length; offered += 65_536)
      yield bytes.subarray(offered, offered + 65_536)
  })()
  const sending = pipeline(source, sent)
  const stream = await taken
  let before = -1
  await expect
    .poll(
      () => {
        const isStill = offered === before
        before = offered
        return isStill
      },
      { interval: 200 },
    )
    .toBe(true)
  expect(offered).toBeLessThan(bytes.length)
  const answering = answerOf(sent)
  const read = bytesOf(stream)
  await sending
  expect(sha256(await read)).toBe(sha256(bytes))
  stream.respond({ ':status': 201 }, { endStream: true })
  expect((await answering).statusCode).toBe(201)
})

test('each event of a stream arrives as soon as it is sent', async () => {
  const { promise, resolve } = Promise.withResolvers<ServerHttp2Stream>()
  const { begin } = await setUp(only('GET', resolve))
  const answering = begin()
  const stream = await promise
  // The headers arrive on their own.
  stream.respond({ ':status': 200, 'content-type': 'text/event-stream' })
  const answer = await answering
  for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
    const coming = once(answer, 'data')
    stream.write(event)
    expect(String((await coming)[0])).toBe(event)
  }
  stream.end()
  await once(answer, 'end')
})

test('HEAD, 204 and 304 have no body, and keep the headers that describe one', async () => {
  const { visit } = await setUp((stream, headers) => {
    const status = Number(String(headers[':path']).slice(1))
    stream.respond({
      ':status': status,
      etag: '"x"',
      ...(status === 200 && { 'content-length': '9' }),
    })
    stream.end()
  })
  const head = await visit({ method: 'HEAD', path: '/200' })
  expect([head.status, head.headers['content-length'], head.body]).toEqual([200, '9', ''])
  for (const status of [204, 304]) {
    const answer = await visit({ path: `/${status}` })
    expect([answer.status, answer.headers.etag, answer.body]).toEqual([status, '"x"', ''])
  }
})

test('R8 trailers of an answer are passed on', async () => {
  const { send } = await setUp(
    only('POST', (stream) => {
      stream.resume()
      stream.respond({ ':status': 200 }, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': 'of the answer' }))
      stream.end('whole')
    }),
  )
  const sent = send()
  sent.end('body')
  const answer = await answerOf(sent)
  expect(await text(answer)).toBe('whole')
  expect(answer.trailers).toEqual({ 'x-sum': 'of the answer' })
})

test('R8 trailers that a visitor announces reach the service, without those no visitor may set', async () => {
  const { promise, resolve } = Promise.withResolvers<IncomingHttpHeaders>()
  const { send } = await setUp(
    only('POST', (stream) => {
      stream.on('trailers', resolve).resume()
      stream.on('end', () => stream.respond({ ':status': 204 }, { endStream: true }))
    }),
  )
  const sent = send({ trailer: 'x-sum' })
  sent.write('body')
  sent.addTrailers({ 'x-sum': 'of the request', astropelago_user: 'operator', connection: 'close' })
  sent.end()
  expect((await answerOf(sent)).statusCode).toBe(204)
  expect(Object.entries(await promise)).toEqual([['x-sum', 'of the request']])
})

test('R8 bodies with trailers that are cut at any point affect only their own visitors', async () => {
  let taken = 0
  const { send, visit } = await setUp(
    only('POST', (stream) => {
      taken += 1
      if (taken % 3 === 0) stream.resume()
      if (taken % 3 === 1) stream.respond({ ':status': 200 }, { endStream: true })
    }),
  )
  const closed = Array.from({ length: 120 }, async (_, count) => {
    const sent = send({ trailer: 'x-sum' })
    sent.write(Buffer.alloc(count * 2000))
    sent.addTrailers({ 'x-sum': 'of the request' })
    sent.on('response', (answer) => {
      answer.resume()
      sent.destroy()
    })
    sent.end(() => {
      if (count % 2 === 0) setImmediate(() => sent.destroy())
    })
    setTimeout(() => sent.destroy(), 200)
    await new Promise((resolve) => sent.once('close', resolve))
  })
  await Promise.all(closed)
  expect((await visit()).status).toBe(204)
})

test('a service decides on `Expect: 100-continue` and sends its own early hints', async () => {
  const { send } = await setUp(
    only('POST', (stream, headers) => {
      stream.additionalHeaders({ ':status': 103, link: '</a.css>; rel=preload' })
      expect(headers['expect']).toBe('100-continue')
      stream.additionalHeaders({ ':status': 100 })
      stream.respond({ ':status': 200 })
      stream.pipe(stream)
    }),
  )
  const sent = send({ expect: '100-continue', 'content-length': '4' })
  const hint = once(sent, 'information')
  const answering = answerOf(sent)
  sent.flushHeaders()
  await once(sent, 'continue')
  expect((await hint)[0]).toMatchObject({ statusCode: 103 })
  sent.end('body')
  expect(await text(await answering)).toBe('body')
})

test.each([
  ['of a length', { 'content-length': '10' }],
  ['in chunks', {}],
])(
  'R7 an answer %s that stops in the middle is cut, never ended as if it were whole',
  async (_, headers) => {
    const { begin } = await setUp(
      only('GET', (stream) => {
        stream.respond({ ':status': 200, ...headers })
        stream.write('half')
        setImmediate(() => stream.destroy(new Error('the service is gone')))
      }),
    )
    const answer = await begin()
    await expect(text(answer)).rejects.toThrow('aborted')
  },
)

test('R7 [A14] an answer shorter than its length is cut', async () => {
  const { begin } = await setUp(
    only('GET', (stream) => {
      stream.respond({ ':status': 200, 'content-length': '10' })
      stream.end('half')
    }),
  )
  await expect(begin().then(text)).rejects.toThrow('aborted')
})

test('[A15] a visitor who leaves is gone for the service at once, and the connection stays', async () => {
  let open = 0
  let cancelled = 0
  const { begin, visit } = await setUp(
    only('GET', (stream, headers) => {
      if (headers[':path'] !== '/endless') {
        empty(200)(stream, headers)
        return
      }
      open += 1
      stream.respond({ ':status': 200 })
      stream.write('and so on')
      stream.on('close', () => {
        if (stream.rstCode === constants.NGHTTP2_CANCEL) cancelled += 1
      })
    }),
  )
  for (let times = 0; times < 20; times += 1) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => begin({ path: '/endless' })))
    for (const answer of answers) answer.destroy()
    await expect.poll(() => cancelled).toBe(open)
  }
  expect((await visit()).status).toBe(200)
})

test('R6 [A9] thousands of cancelled requests end no session: another one takes over before', async () => {
  const open = new Set<ServerHttp2Stream>()
  const onStream = only('GET', (stream, headers) => {
    if (headers[':path'] !== '/endless') {
      empty(200)(stream, headers)
      return
    }
    open.add(stream)
    stream.on('close', () => open.delete(stream))
    stream.respond({ ':status': 200 })
  })
  const { url, token, begin, visit, agent } = await setUp(onStream)
  const staying = await begin({ path: '/endless' })
  const [stayed] = open
  let connections = 1
  // Like an agent, it dials again as soon as it is asked to.
  const dialAgain = ({ session }: typeof agent) => {
    session.once('goaway', (code, _, data) => {
      expect([code, String(data)]).toEqual([0, 'full'])
      connections += 1
      void connectAgent(url, token, { id: agent.id, onStream }).then(dialAgain)
    })
  }
  dialAgain(agent)
  for (let times = 0; times < 12; times += 1) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => begin({ path: '/endless' })),
    )
    for (const answer of answers) answer.destroy()
    await expect.poll(() => open.size).toBe(1)
  }
  expect(connections).toBe(2)
  expect((await visit()).status).toBe(200)
  // The stream from before is still open.
  stayed?.end('to the end')
  expect(await text(staying)).toBe('to the end')
})

test('a request that an agent did not begin goes to another agent, once', async () => {
  let asked = 0
  const { visit } = await setUp(
    only('GET', (stream) => {
      asked += 1
      if (asked === 1) stream.close(constants.NGHTTP2_REFUSED_STREAM)
      else stream.respond({ ':status': 200 }, { endStream: true })
    }),
  )
  expect((await visit()).status).toBe(200)
  expect(asked).toBe(2)
  asked = 0
  // Only requests without a body go to another agent, because a body may have been read.
  expect((await visit({ method: 'POST', body: 'x' })).status).toBe(204)
})

test('R54 R5 the last of 257 requests at a time reads that the island is crowded, one network’s sooner', async () => {
  const streams: ServerHttp2Stream[] = []
  const { begin, visit } = await setUp(
    only('GET', (stream) => void streams.push(stream)),
    createRelayApp({ config: { trustProxy: ['127.0.0.1'] } }),
  )
  const expectCrowded = async (address: string) => {
    const refused = await visit(from(address))
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2'])
    expect(refused.body).toContain('is crowded')
  }
  const answers = Array.from({ length: 192 }, () => begin(from('203.0.113.7')))
  await expect.poll(() => streams.length, { timeout: 20_000 }).toBe(192)
  await expectCrowded('203.0.113.7')
  answers.push(...Array.from({ length: 64 }, () => begin(from('203.0.113.8'))))
  await expect.poll(() => streams.length, { timeout: 20_000 }).toBe(256)
  await expectCrowded('203.0.113.9')
  for (const stream of streams) stream.respond({ ':status': 200 }, { endStream: true })
  await Promise.all(answers)
})

const failures = [
  ['refused', 502, 'does not answer'],
  ['timeout', 504, 'takes too long'],
  ['reset', 502, 'broke off its answer'],
  ['bad-answer', 502, 'broke off its answer'],
  ['<script>', 502, 'broke off its answer'],
  // Names of properties that every JavaScript object has.
  ['constructor', 502, 'broke off its answer'],
  ['__proto__', 502, 'broke off its answer'],
] as const

test.each(failures)(
  'R9 [A16] an agent’s report %s becomes a page',
  async (failure, status, title) => {
    const { visit } = await setUp(
      only('GET', (stream) => {
        stream.respond(
          { ':status': status, 'astropelago-relay-error': failure },
          { endStream: true },
        )
      }),
    )
    const page = await visit({ headers: { accept: 'text/html,*/*' } })
    expect(page.status).toBe(status)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['retry-after']).toBe('10')
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    )
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.headers).not.toHaveProperty('astropelago-relay-error')
    expect(page.body).toContain(title)
    expect(page.body).not.toContain('<script>')
    const line = await visit({ headers: { accept: 'application/json' } })
    expect(line.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(line.body).not.toContain('<')
  },
)

test('R7 an agent that disconnects midway leaves nobody hanging', async () => {
  let asked = 0
  const { agent, begin, visit } = await setUp(
    only('GET', (stream, headers) => {
      asked += 1
      if (headers[':path'] === '/half') stream.respond({ ':status': 200 })
    }),
  )
  const half = await begin({ path: '/half' })
  const waiting = visit()
  await expect.poll(() => asked).toBe(2)
  const startedMs = performance.now()
  agent.session.destroy()
  await expect(text(half)).rejects.toThrow('aborted')
  expect((await waiting).status).toBe(503)
  // Visitors need not wait for missing pings.
  expect(performance.now() - startedMs).toBeLessThan(5000)
})

test('visitors wait for an agent that was there a moment ago', async () => {
  const { url, token, agent, visit } = await setUp(only('GET', empty(200)))
  agent.session.destroy()
  await agent.closed
  const waiting = visit()
  await connectAgent(url, token, { id: randomUUID(), onStream: empty(202) })
  expect((await waiting).status).toBe(202)
})

test('S57 a stricter access policy ends requests in progress within a second', async () => {
  const { host, island, begin } = await setUp(
    only('GET', (stream) => stream.respond({ ':status': 200 })),
  )
  const answer = await begin()
  const startedMs = performance.now()
  await host.inject({
    method: 'POST',
    url: `/api/islands/${island.id}/publish`,
    payload: { access: 'members', isListed: false },
  })
  await expect(text(answer)).rejects.toThrow('aborted')
  expect(performance.now() - startedMs).toBeLessThan(1000)
})

test('an answer during the upload arrives whole, and the rest of the upload is dropped', async () => {
  const { port, hostName } = await setUp(
    only('POST', (stream) => {
      stream.respond({ ':status': 413 })
      stream.end('too large')
    }),
  )
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  socket.write(`POST / HTTP/1.1\r\nHost: ${hostName}\r\nContent-Length: 100000000\r\n\r\n`)
  const drip = setInterval(() => socket.write('x'.repeat(1000)), 20)
  onTestFinished(() => clearInterval(drip))
  let answer = ''
  socket.on('data', (chunk) => (answer += String(chunk)))
  await new Promise((resolve) => socket.once('close', resolve))
  expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*too large/)
})

test('R7 half an upload is never taken for a whole one', async () => {
  const { promise, resolve } = Promise.withResolvers<ServerHttp2Stream>()
  const { send } = await setUp(only('POST', resolve))
  const sent = send({ 'transfer-encoding': 'chunked' })
  sent.write('half')
  const stream = await promise
  expect(String((await once(stream, 'data'))[0])).toBe('half')
  sent.destroy()
  let hasEnded = false
  stream.on('end', () => (hasEnded = !stream.aborted))
  await once(stream, 'close')
  expect([hasEnded, stream.rstCode]).toEqual([false, constants.NGHTTP2_CANCEL])
})

test('R3 nonsense from an agent affects only its own visitor', async () => {
  const say: Record<string, (stream: ServerHttp2Stream) => void> = {
    '/link': (stream) => {
      stream.additionalHeaders({ ':status': 103, link: 'no link at all' })
      empty(200)(stream, {})
    },
    '/links': (stream) => {
      // Some checks can match each of these parts in two ways, all together in a number of 33 digits.
      stream.additionalHeaders({ ':status': 103, link: `<x>${';a=a'.repeat(110)}"` })
      empty(200)(stream, {})
    },
    '/hints': (stream) => {
      for (let times = 0; times < 100; times += 1) stream.additionalHeaders({ ':status': 102 })
      empty(200)(stream, {})
    },
    '/odd': (stream) =>
      stream.respond({ ':status': 299, 'x-odd': '\u00ff'.repeat(10) }, { endStream: true }),
    '/': (stream) => empty(200)(stream, {}),
  }
  const { visit } = await setUp(
    only('GET', (stream, headers) => say[String(headers[':path'])]?.(stream)),
  )
  expect((await visit({ path: '/link' })).status).toBe(200)
  expect((await visit({ path: '/hints' })).status).toBe(200)
  expect((await visit({ path: '/odd' })).status).toBe(299)
  expect((await visit({ path: '/' })).status).toBe(200)
})

test('S57 a visitor who waited for an agent while access was withdrawn is not let in', async () => {
  const { url, token, agent, host, island, visit } = await setUp(only('GET', empty(200)))
  agent.session.destroy()
  await agent.closed
  const waiting = visit()
  await host.inject({
    method: 'POST',
    url: `/api/islands/${island.id}/publish`,
    payload: { access: 'members', isListed: false },
  })
  await connectAgent(url, token, { id: agent.id, onStream: empty(200) })
  expect((await waiting).status).toBe(404)
})
