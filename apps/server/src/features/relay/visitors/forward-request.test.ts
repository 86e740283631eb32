import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { connectAgent, noise, rawService, type OnRequest } from '../../../test/relay-agent.ts'
import { createRelayApp, shareRelayApp } from '../../../test/relay-app.ts'

type Service = Omit<NonNullable<Parameters<typeof connectAgent>[2]>, 'id' | 'island'>

async function setUp(service: OnRequest | Service, opening = shareRelayApp()) {
  const relay = await opening
  const agent = await connectAgent(
    relay.url,
    relay.token,
    typeof service === 'function' ? { onRequest: service } : service,
  )
  await expect.poll(async () => (await relay.visit({ method: 'OPTIONS' })).status).not.toBe(503)
  /** A request whose body is still to be written. */
  const send = (headers: Record<string, string | string[]> = {}, method = 'POST', path = '/') => {
    const sent = request({
      host: '127.0.0.1',
      port: relay.port,
      method,
      path,
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
  (method: string, onRequest: OnRequest): OnRequest =>
  (asked, response) => {
    if (asked.method === method) onRequest(asked, response)
    else response.writeHead(204).end()
  }

/** The visitor's address as a proxy reports it. */
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

const answerOf = (sent: ClientRequest) =>
  new Promise<IncomingMessage>((resolve) => sent.once('response', resolve))

/** Answers with only a status. */
const empty =
  (status: number): OnRequest =>
  (_asked, response) =>
    response.writeHead(status).end()

/** Sends the headers of an answer that never ends. */
const endless: OnRequest = (_asked, response) => response.writeHead(200).flushHeaders()

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Resolves when a number stays as it is. */
async function untilStill(count: () => number): Promise<void> {
  let before = -1
  const isStill = () => {
    const is = count() === before
    before = count()
    return is
  }
  await expect.poll(isStill, { interval: 200, timeout: 20_000 }).toBe(true)
}

test('S56 R2 [A10] a service receives the request with its visitor’s address, and the visitor its answer', async () => {
  const asked: IncomingMessage[] = []
  const { visit, hostName } = await setUp((got, response) => {
    asked.push(got)
    response
      .writeHead(418, {
        'x-pot': 'tea',
        'set-cookie': ['a=b; Domain=localhost', 'c=d; HttpOnly'],
        'content-disposition': 'attachment; filename="caf\u00e9.txt"',
        'alt-svc': 'h3=":443"',
      })
      .end('tea')
  })
  asked.length = 0
  const { status, headers, body } = await visit({
    path: '/pot?milk=no%20b',
    headers: {
      'x-forwarded-for': '6.6.6.6',
      'x-forwarded-host': 'evil.example',
      'astropelago-user': 'operator',
      astropelago_user: 'operator',
      te: 'trailers',
      cookie: 'astropelago_session=secret; theme=dark',
    },
  })
  expect([status, body]).toEqual([418, 'tea'])
  expect(headers).toMatchObject({
    'x-pot': 'tea',
    'set-cookie': ['a=b', 'c=d; HttpOnly'],
    'content-disposition': 'attachment; filename="caf\u00e9.txt"',
  })
  expect(headers).not.toHaveProperty('alt-svc')
  expect(asked[0]).toMatchObject({ method: 'GET', url: '/pot?milk=no%20b', httpVersion: '1.1' })
  expect(asked[0]?.headers).toEqual({
    host: hostName,
    connection: 'keep-alive',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-host': hostName,
    'x-forwarded-proto': 'http',
    cookie: 'theme=dark',
  })
})

test('[A10] [A13] a service gets the Host that its agent names, and its redirects lead to the island', async () => {
  const { visit, hostName } = await setUp({
    headers: {
      'astropelago-agent-service': 'http://localhost:8096',
      'astropelago-agent-host': 'app.local:81',
    },
    onRequest: ({ headers, url = '' }, response) =>
      response.writeHead(302, { location: `http://${url.slice(1)}`, 'x-host': headers.host }).end(),
  })
  const leadsTo = async (where: string) => {
    const { headers } = await visit({ path: `/${where}` })
    expect(headers['x-host']).toBe('app.local:81')
    return headers.location
  }
  expect(await leadsTo('localhost:8096/a?b=c')).toBe(`http://${hostName}/a?b=c`)
  expect(await leadsTo('app.local:81/a')).toBe(`http://${hostName}/a`)
  expect(await leadsTo('localhost:8097/a')).toBe('http://localhost:8097/a')
})

test('[A10] a request has as many headers and as large ones as the server takes', async () => {
  const { visit } = await setUp(({ headers, rawHeaders }, response) =>
    response.end(`${headers['x-large']?.length} ${rawHeaders.length / 2 > 800}`),
  )
  const many = Object.fromEntries(Array.from({ length: 800 }, (_, at) => [`x${at}`, '1']))
  const headers = { ...many, 'x-large': 'a'.repeat(1000) }
  expect((await visit({ headers })).body).toBe('1000 true')
  // More than a stream may send before the agent has accepted it.
  expect((await visit({ headers: { 'x-large': 'a'.repeat(15_900) } })).body).toBe('15900 false')
})

test('[A12] a download arrives as sent, and no faster than its visitor reads it', async () => {
  const bytes = noise(24 * 1024 * 1024)
  let written = 0
  const { begin } = await setUp(
    only('GET', (_asked, response) => {
      response.writeHead(200, { 'content-length': String(bytes.length) })
      const step = 64 * 1024
      const write = () => {
        while (written < bytes.length) {
          const more = response.write(bytes.subarray(written, written + step))
          written += step
          if (!more) {
            response.once('drain', write)
            return
          }
        }
        response.end()
      }
      write()
    }),
  )
  const answer = await begin()
  // Only the buffers and windows in between fill up.
  await untilStill(() => written)
  expect(written).toBeLessThan(bytes.length)
  expect(sha256(await bytesOf(answer))).toBe(sha256(bytes))
})

test('[A11] an upload arrives as sent, and no faster than the service reads it', async () => {
  const bytes = noise(24 * 1024 * 1024)
  const { promise: taken, resolve: take } = Promise.withResolvers<ServerResponse>()
  const { send } = await setUp(only('POST', (_asked, response) => take(response)))
  const sent = send({ 'content-length': String(bytes.length) })
  let offered = 0
  const source = (function* () {
    for (; offered < bytes.length; offered += 65_536)
      yield bytes.subarray(offered, offered + 65_536)
  })()
  const sending = pipeline(source, sent)
  const response = await taken
  await untilStill(() => offered)
  expect(offered).toBeLessThan(bytes.length)
  const answering = answerOf(sent)
  const read = bytesOf(response.req)
  await sending
  expect(sha256(await read)).toBe(sha256(bytes))
  response.writeHead(201).end()
  expect((await answering).statusCode).toBe(201)
})

test('[A11] bodies that their service does not read keep no other request waiting', async () => {
  const { send, visit } = await setUp(
    only('POST', (asked, response) => {
      if (asked.url === '/echo') asked.pipe(response)
    }),
  )
  for (let count = 0; count < 24; count += 1) send().write(Buffer.alloc(2 * 1024 * 1024))
  const body = noise(2 * 1024 * 1024)
  const sent = send({}, 'POST', '/echo')
  const answering = answerOf(sent)
  sent.end(body)
  const answer = await answering
  const answered = await bytesOf(answer)
  expect([answer.statusCode, answered.length]).toEqual([200, body.length])
  expect(answered.equals(body)).toBe(true)
  expect((await visit()).status).toBe(204)
})

test('[A11] [A12] each part of a body arrives as soon as it is sent, in both directions', async () => {
  const { send } = await setUp(
    only('POST', (asked, response) => {
      // The headers arrive on their own.
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      asked.pipe(response)
    }),
  )
  const sent = send()
  sent.flushHeaders()
  const answer = await answerOf(sent)
  for (const event of ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']) {
    const coming = once(answer, 'data')
    sent.write(event)
    expect(String((await coming)[0])).toBe(event)
  }
  sent.end()
  await once(answer, 'end')
})

test('[A12] HEAD, 204 and 304 have no body, and keep the headers that describe one', async () => {
  const { visit } = await setUp((asked, response) => {
    const status = Number(asked.url?.slice(1)) || 204
    response.writeHead(status, { etag: '"x"', ...(status === 200 && { 'content-length': '9' }) })
    response.end()
  })
  const head = await visit({ method: 'HEAD', path: '/200' })
  expect([head.status, head.headers['content-length'], head.body]).toEqual([200, '9', ''])
  for (const status of [204, 304]) {
    const answer = await visit({ path: `/${status}` })
    expect([answer.status, answer.headers.etag, answer.body]).toEqual([status, '"x"', ''])
  }
})

test('R8 [A12] trailers of an answer are passed on, except those of the connection', async () => {
  const { send } = await setUp(
    only('POST', (asked, response) => {
      asked.resume()
      response.writeHead(200, { trailer: 'X-Sum' })
      response.write('whole')
      response.addTrailers({
        'x-sum': 'of the answer',
        'keep-alive': 'timeout=5',
        'astropelago-relay-error': 'reset',
      })
      response.end()
    }),
  )
  const sent = send()
  sent.end('body')
  const answer = await answerOf(sent)
  expect(await text(answer)).toBe('whole')
  expect(answer.headers.trailer).toBe('X-Sum')
  expect(answer.trailers).toEqual({ 'x-sum': 'of the answer' })
})

test('R8 [A12] an answer that announces trailers reaches visitors who can’t have them', async () => {
  const said = 'Trailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n'
  const whole = '5\r\nwhole\r\n0\r\nX-Sum: of the answer\r\n\r\n'
  const { visit, port, hostName } = await setUp({
    onStream: rawService({
      '/': `HTTP/1.1 200 OK\r\n${said}${whole}`,
      '/head': `HTTP/1.1 200 OK\r\n${said}`,
      '/304': `HTTP/1.1 304 Not Modified\r\n${said}`,
    }),
  })
  expect((await visit({ method: 'HEAD', path: '/head' })).status).toBe(200)
  expect((await visit({ path: '/304' })).status).toBe(304)
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(`GET / HTTP/1.0\r\nHost: ${hostName}\r\n\r\n`)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\nwhole$/)
})

test('R8 [A11] trailers of a visitor reach the service, without those no visitor may set', async () => {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>()
  const { send } = await setUp(
    only('POST', (asked, response) => {
      asked.resume().on('end', () => {
        resolve(asked)
        response.writeHead(204).end()
      })
    }),
  )
  const sent = send({ trailer: 'x-sum' })
  sent.write('body')
  sent.addTrailers({
    'x-sum': 'of the request',
    astropelago_user: 'operator',
    connection: 'close',
  })
  sent.end()
  expect((await answerOf(sent)).statusCode).toBe(204)
  const { headers, trailers } = await promise
  expect([headers.trailer, Object.entries(trailers)]).toEqual([
    'x-sum',
    [['x-sum', 'of the request']],
  ])
})

test('R8 bodies with trailers that are cut at any point affect only their own visitors', async () => {
  let taken = 0
  const { send, visit } = await setUp(
    only('POST', (asked, response) => {
      taken += 1
      if (taken % 3 === 0) asked.resume()
      if (taken % 3 === 1) response.writeHead(200).end()
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

test('[A11] [A12] a service decides on `Expect: 100-continue` and sends its own early hints', async () => {
  const hello = 'HTTP/1.1 103 Early\r\nLink: </a.css>; rel=preload\r\n\r\nHTTP/1.1 100 Go\r\n\r\n'
  const heads: string[] = []
  const { send } = await setUp({
    onStream: rawService(
      {
        '/asks': (stream) => {
          stream.write(hello)
          stream.once('data', (body) =>
            stream.end(`HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n${String(body)}`),
          )
        },
      },
      (head) => heads.push(head),
    ),
  })
  heads.length = 0
  const sent = send({ expect: '100-continue', 'content-length': '4' }, 'POST', '/asks')
  const hint = once(sent, 'information')
  const answering = answerOf(sent)
  sent.flushHeaders()
  await once(sent, 'continue')
  expect((await hint)[0]).toMatchObject({ statusCode: 103 })
  expect(heads.join()).toMatch(/^expect: 100-continue$/im)
  sent.end('body')
  expect(await text(await answering)).toBe('body')
})

test('[A11] a service may refuse a body that its visitor has not sent yet', async () => {
  const { send } = await setUp({
    onStream: rawService({
      '/no': 'HTTP/1.1 417 No\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno',
    }),
  })
  const sent = send({ expect: '100-continue', 'content-length': '4' }, 'POST', '/no')
  sent.flushHeaders()
  const answer = await answerOf(sent)
  expect([answer.statusCode, await text(answer)]).toEqual([417, 'no'])
})

test.each([
  ['of a length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'],
  ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
  ['without a length', 'HTTP/1.1 200 OK\r\n\r\nhalf'],
  ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nhalf'],
])(
  'R7 [A14] an answer %s that stops in the middle is cut, never ended as if it were whole',
  async (_, half) => {
    const { begin, visit } = await setUp({
      onStream: rawService({
        '/half': (stream) => {
          stream.write(half)
          setTimeout(() => stream.destroy(), 20)
        },
      }),
    })
    const answer = await begin({ path: '/half' })
    await expect(text(answer)).rejects.toThrow('aborted')
    expect((await visit()).status).toBe(204)
  },
)

test.each([
  ['of a length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'],
  ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
])('R7 [A14] an answer %s whose service ends too early is cut', async (_, half) => {
  const { begin } = await setUp({
    onStream: rawService({ '/half': (stream) => void stream.end(half) }),
  })
  await expect(begin({ path: '/half' }).then(text)).rejects.toThrow('aborted')
})

test('[A12] an answer without a length ends with its connection', async () => {
  const { visit } = await setUp({
    onStream: rawService({
      '/1.0': (stream) => void stream.end('HTTP/1.0 200 OK\r\n\r\nto the end'),
      '/1.1': (stream) => void stream.end('HTTP/1.1 200 OK\r\n\r\nto the end'),
    }),
  })
  for (const path of ['/1.0', '/1.1']) expect((await visit({ path })).body).toBe('to the end')
})

test('[A15] a visitor who leaves is gone for the service at once, and the connection stays', async () => {
  let open = 0
  let left = 0
  const { begin, visit } = await setUp(
    only('GET', (asked, response) => {
      if (asked.url !== '/endless') {
        response.end()
        return
      }
      open += 1
      response.write('and so on')
      asked.socket.on('close', () => (left += 1))
    }),
  )
  for (let times = 0; times < 20; times += 1) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => begin({ path: '/endless' })))
    for (const answer of answers) answer.destroy()
    await expect.poll(() => left).toBe(open)
  }
  expect((await visit()).status).toBe(200)
})

test('R6 [A15] thousands of visitors who leave end no session', async () => {
  const open = new Set<ServerResponse>()
  const { begin, visit, agent } = await setUp(
    only('GET', (asked, response) => {
      if (asked.url !== '/endless') {
        response.end()
        return
      }
      open.add(response)
      response.on('close', () => open.delete(response))
      response.flushHeaders()
    }),
  )
  const staying = await begin({ path: '/endless' })
  const [stayed] = open
  for (let times = 0; times < 12; times += 1) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => begin({ path: '/endless' })),
    )
    for (const answer of answers) answer.destroy()
    await expect.poll(() => open.size).toBe(1)
  }
  expect([agent.away(), (await visit()).status]).toEqual([undefined, 200])
  stayed?.end('to the end')
  expect(await text(staying)).toBe('to the end')
})

test('a request that an agent did not begin goes to another agent, once', async () => {
  const asked: string[] = []
  let leaving = 0
  const { visit } = await setUp({
    onStream: (stream) => {
      leaving -= 1
      if (leaving >= 0) stream.reset('gone')
      else rawService({}, (head) => asked.push(head))(stream)
    },
  })
  const expectOne = async (what: Parameters<typeof visit>[0], left: number, status: number) => {
    asked.length = 0
    leaving = left
    // On a fresh stream, for there are no kept ones for a request that signs in its connection.
    const headers = { authorization: 'NTLM x' }
    expect((await visit({ ...what, headers })).status).toBe(status)
    expect(asked).toHaveLength(status === 204 ? 1 : 0)
  }
  await expectOne({}, 1, 204)
  await expectOne({}, 2, 503)
  // Only requests without a body go to another agent, because a body may have been read.
  await expectOne({ method: 'POST', body: 'x' }, 1, 503)
})

test('R54 R5 the last of 257 requests at a time reads that the island is crowded, one network’s sooner', async () => {
  const responses: ServerResponse[] = []
  const { begin, visit } = await setUp(
    only('GET', (_asked, response) => void responses.push(response)),
    createRelayApp({ config: { trustProxy: ['127.0.0.1'] } }),
  )
  const expectCrowded = async (address: string) => {
    const refused = await visit(from(address))
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2'])
    expect(refused.body).toContain('is crowded')
  }
  const answers = Array.from({ length: 192 }, () => begin(from('203.0.113.7')))
  await expect.poll(() => responses.length, { timeout: 20_000 }).toBe(192)
  await expectCrowded('203.0.113.7')
  answers.push(...Array.from({ length: 64 }, () => begin(from('203.0.113.8'))))
  await expect.poll(() => responses.length, { timeout: 20_000 }).toBe(256)
  await expectCrowded('203.0.113.9')
  for (const response of responses) response.end()
  await Promise.all(answers)
})

const failures = [
  ['refused', 502, 'does not answer'],
  ['no-tcp', 502, 'does not answer'],
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
    const { visit, send } = await setUp({ onStream: (stream) => stream.reset(failure) })
    const page = await visit({ headers: { accept: 'text/html,*/*' } })
    expect(page.status).toBe(status)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['retry-after']).toBe('10')
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    )
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.body).toContain(title)
    expect(page.body).not.toContain('<script>')
    const line = await visit({ headers: { accept: 'application/json' } })
    expect(line.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(line.body).not.toContain('<')
    const sent = send()
    sent.end(Buffer.alloc(100_000))
    expect((await answerOf(sent)).statusCode).toBe(status)
  },
)

test('R7 an agent that disconnects midway leaves nobody hanging', async () => {
  let asked = 0
  const { agent, begin, visit } = await setUp(
    only('GET', (got, response) => {
      asked += 1
      if (got.url === '/half') response.flushHeaders()
    }),
  )
  const half = await begin({ path: '/half' })
  const waiting = visit()
  await expect.poll(() => asked).toBe(2)
  const startedMs = performance.now()
  agent.cut()
  await expect(text(half)).rejects.toThrow('aborted')
  expect((await waiting).status).toBe(503)
  // Visitors need not wait for missing pings.
  expect(performance.now() - startedMs).toBeLessThan(5000)
})

test('visitors wait for an agent that was there a moment ago', async () => {
  const { url, token, agent, visit } = await setUp(only('GET', empty(200)))
  agent.cut()
  await agent.closed
  const waiting = visit()
  await connectAgent(url, token, { id: randomUUID(), onRequest: empty(202) })
  expect((await waiting).status).toBe(202)
})

test('S57 a stricter access policy ends requests in progress within a second', async () => {
  const { host, island, begin } = await setUp(only('GET', endless))
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

test('[A12] an answer during the upload arrives whole, and the rest of the upload is dropped', async () => {
  const closed = Promise.withResolvers<boolean>()
  const { port, hostName } = await setUp(
    only('POST', (asked, response) => {
      asked.socket.on('close', () => closed.resolve(asked.complete))
      response.writeHead(413).end('too large')
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
  expect(await closed.promise).toBe(false)
})

test.each([
  ['in chunks', { 'transfer-encoding': 'chunked' }],
  ['of a length', { 'content-length': '10' }],
])('R7 [A11] [A15] half an upload %s is never taken for a whole one', async (_, headers) => {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>()
  const { send } = await setUp(only('POST', resolve))
  const sent = send(headers)
  sent.write('half')
  const asked = await promise
  expect(String((await once(asked, 'data'))[0])).toBe('half')
  let hasEnded = false
  asked.on('end', () => (hasEnded = true)).on('error', () => undefined)
  sent.destroy()
  await once(asked.socket, 'close')
  expect([hasEnded, asked.complete]).toEqual([false, false])
})

test('R3 nonsense from a service affects only its own visitor', async () => {
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'
  const hints = (link: string) => `HTTP/1.1 103 Early\r\nLink: ${link}\r\n\r\n${ok}`
  const { visit } = await setUp({
    onStream: rawService({
      '/link': hints('no link at all'),
      // Some checks can match each of these parts in two ways, all together in a number of 33 digits.
      '/links': hints(`<x>${';a=a'.repeat(110)}"`),
      '/hints': 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100) + ok,
      '/odd': `HTTP/1.1 299 \u00ff\r\nX-Odd: ${'\u00ff'.repeat(10)}\r\nContent-Length: 0\r\n\r\n`,
    }),
  })
  for (const path of ['/link', '/links', '/hints']) expect((await visit({ path })).status).toBe(200)
  const odd = await visit({ path: '/odd' })
  expect([odd.status, odd.headers['x-odd']]).toEqual([299, '\u00ff'.repeat(10)])
  expect((await visit()).status).toBe(204)
})

test('S57 a visitor who waited for an agent while access was withdrawn is not let in', async () => {
  const { url, token, agent, host, island, visit } = await setUp(only('GET', empty(200)))
  agent.cut()
  await agent.closed
  const waiting = visit()
  await host.inject({
    method: 'POST',
    url: `/api/islands/${island.id}/publish`,
    payload: { access: 'members', isListed: false },
  })
  await connectAgent(url, token, { id: agent.id, onRequest: empty(200) })
  expect((await waiting).status).toBe(404)
})

test('[A11] a request is not sent again when its agent has gone, even if another agent is there', async () => {
  const relay = await shareRelayApp()
  let slow = 0
  const onRequest: OnRequest = ({ url }, response) => {
    if (url === '/slow') slow += 1
    else response.end('hello')
  }
  const agent = await connectAgent(relay.url, relay.token, { onRequest })
  // The next request uses the stream of this one.
  await expect.poll(async () => (await relay.visit()).status).toBe(200)
  const answering = relay.visit({ path: '/slow' })
  await expect.poll(() => slow).toBe(1)
  await connectAgent(relay.url, relay.token, { onRequest })
  agent.cut()
  expect((await answering).status).toBe(503)
  expect(slow).toBe(1)
})
