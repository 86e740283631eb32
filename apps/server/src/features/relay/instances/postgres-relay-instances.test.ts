import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { relayRequestsPerIsland, relayStreamsPerIsland } from '@astropelago/contract/limits'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectAgent, noise, type OnRequest } from '../../../test/relay-agent.ts'
import { hopLimits, hopPath, hopProtocol } from './hop-connection.ts'
import { FrameSession } from '../frames/frame-session.ts'
import type { FrameStream } from '../frames/frame-stream.ts'
import { HopGreeting, hopHeader } from './hop-greeting.ts'
import { postgresInstancesStore } from './postgres-instances-store.ts'
import {
  beginVisit,
  startRelayCluster,
  startRelayServer,
  visit,
  type RelayServer,
} from './testing/relay-cluster.ts'
import { publishTestIsland } from '../../../test/api-islands.ts'
import { inTime } from '../../../test/in-time.ts'
import { makeServedIsland } from '../../../test/relay-app.ts'

vi.setConfig({ testTimeout: 60_000 })
/** All servers know of a change within a second if the machine is not busy. */
const soon = { timeout: 3000, interval: 20 }

/** The first server holds the agent. Resolves when visitors of all servers reach it. */
async function setUp(
  size: number,
  service: Parameters<typeof connectAgent>[2] = {},
  answers = 200,
) {
  const cluster = await startRelayCluster(size, { metricsToken: 'metrics' })
  const [first, second = first, third = second] = cluster.servers
  if (first === undefined || second === undefined || third === undefined) throw new Error('none')
  const agent = await connectAgent(first.url, cluster.token, service)
  for (const { url } of cluster.servers) await reaches(url, cluster.hostName, answers)
  return { ...cluster, first, second, third, agent }
}

async function reaches(url: string, host: string, answers = 200): Promise<void> {
  await vi.waitFor(async () => expect((await visit(url, host)).status).toBe(answers), inTime)
}

/** Answers the front page, and echoes the bodies of other requests. */
function echo(seen: IncomingMessage[]): OnRequest {
  return (asked, response) => {
    if (asked.url === '/') {
      response.end()
      return
    }
    seen.push(asked)
    const length = asked.headers['content-length']
    if (length !== undefined) response.setHeader('content-length', length)
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    asked.on('end', () => {
      if (length === undefined) response.addTrailers({ 'x-sum': 'whole' })
      response.end()
    })
    asked.pipe(response, { end: false })
  }
}

/** Connects to a server as another one would, and opens streams there. */
async function openHop(
  server: RelayServer,
  greeting: HopGreeting,
): Promise<{ readonly session: FrameSession; readonly open: (what: string) => OpenedStream }> {
  const { socket, answer } = await greet(server.url, { [hopHeader]: greeting.header })
  if (socket === undefined || !greeting.isAnsweredBy(answer)) throw new Error('not taken')
  const session = new FrameSession(socket, { onEnd: () => undefined, limits: hopLimits })
  onTestFinished(() => session.end())
  return {
    session,
    open: (what) => {
      const stream = session.open(what)
      const closed = new Promise<string>((resolve) =>
        stream.once('close', () => resolve(stream.resetWord)),
      )
      const accepted = once(stream, 'connect').then(([said]) => String(said))
      return { stream, accepted, closed }
    },
  }
}

interface OpenedStream {
  readonly stream: FrameStream
  /** The text of OPENED. */
  readonly accepted: Promise<string>
  /** Resolves with the word of RESET. */
  readonly closed: Promise<string>
}

/** The greeting of one server to another one that shares its database. */
async function greetingTo(to: RelayServer): Promise<HopGreeting> {
  const { writer } = to.storage.instance
  const { hopKey } = (await instancesOf(to)).find((instance) => instance.writer === writer) ?? {}
  if (hopKey === undefined) throw new Error('it is not there')
  return new HopGreeting(hopKey, { from: writer + 1, to: writer, nowMs: to.clock.now() })
}

async function targetOf(
  { storage }: RelayServer,
  island: { readonly id: string },
  device: { readonly id: string },
): Promise<string> {
  const { rows } = await sql<{ island: number; device: number }>`
    select islands.key as island, devices.key as device from islands, devices
    where islands.id = ${island.id} and devices.id = ${device.id}`.execute(storage.db)
  return `${rows[0]?.island} ${rows[0]?.device}`
}

/** Begins a connection to a server as another server would. */
async function greet(url: string, headers: Record<string, string>) {
  const asked = request(new URL(hopPath, url), {
    agent: false,
    headers: { connection: 'Upgrade', upgrade: hopProtocol, ...headers },
  })
  asked.end()
  onTestFinished(() => void asked.destroy())
  return await new Promise<{ readonly status: number; readonly answer?: string; socket?: Socket }>(
    (resolve, reject) => {
      asked
        .on('error', reject)
        .on('response', ({ statusCode = 0 }) => resolve({ status: statusCode }))
        .on('upgrade', (response, socket: Socket, head) => {
          if (head.length > 0) socket.unshift(head)
          resolve({ status: 101, answer: String(response.headers[hopHeader]), socket })
        })
    },
  )
}

/** Never answers `/slow`, and lists such requests. */
function slowly(asked: unknown[]): OnRequest {
  return ({ url, method }, response) => {
    if (url === '/slow') asked.push(method)
    else response.end()
  }
}

/** The instances in a server's database. */
async function instancesOf({ storage }: RelayServer) {
  return (await postgresInstancesStore(storage).read()).instances
}

const countsOf = async ({ inject }: RelayServer) => {
  const { body } = await inject({ url: '/metrics', headers: { authorization: 'Bearer metrics' } })
  const read = (name: string) => Number(body.split(name)[1]?.split('\n', 1)[0])
  return {
    sent: read('hop_streams_total{way="sent"}'),
    taken: read('hop_streams_total{way="taken"}'),
  }
}

test('R41 a visitor of any server reaches any agent in one hop, as if there were none', async () => {
  const seen: IncomingMessage[] = []
  const { first, second, third, hostName } = await setUp(3, { onRequest: echo(seen) })
  const body = noise(3_000_000)
  for (const { url } of [first, second, third]) {
    const plain = await visit(url, hostName, {
      method: 'PUT',
      path: '/file?a=%2F',
      headers: {
        'content-length': '5',
        'x-forwarded-for': '192.0.2.1',
        'astropelago-user': 'forged',
        [hopHeader]: '1 2 forged',
      },
      body: 'bytes',
    })
    expect(plain).toMatchObject({ status: 200, body: 'bytes' })
    expect(plain.headers['content-length']).toBe('5')

    const answer = await beginVisit(url, hostName, {
      method: 'POST',
      path: '/stream',
      headers: { 'transfer-encoding': 'chunked' },
      body,
    })
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk)
    expect(Buffer.concat(chunks).equals(body)).toBe(true)
    expect(answer.trailers).toEqual({ 'x-sum': 'whole' })
  }
  const [direct, ...others] = seen.filter(({ url }) => url === '/file?a=%2F')
  expect(direct).toMatchObject({
    method: 'PUT',
    headers: {
      host: hostName,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': hostName,
    },
  })
  expect(others.map(({ rawHeaders }) => rawHeaders)).toEqual([
    direct?.rawHeaders,
    direct?.rawHeaders,
  ])
  expect(JSON.stringify(seen.map(({ headers }) => headers))).not.toContain('astropelago-hop')
  const [held, ...around] = await Promise.all([first, second, third].map(countsOf))
  const sent = around.reduce((sum, counts) => sum + counts.sent, 0)
  expect(sent).toBeGreaterThanOrEqual(4)
  expect(held).toEqual({ sent: 0, taken: sent })
  expect(around.map(({ taken }) => taken)).toEqual([0, 0])
})

test('R41 a break behind a hop is a break before it: half an answer, half an upload, a visitor who leaves', async () => {
  const halves: ServerResponse[] = []
  const uploads: string[] = []
  const cancelled: boolean[] = []
  const { second, hostName } = await setUp(2, {
    onRequest: (asked, response) => {
      if (asked.url === '/half') {
        response.setHeader('content-length', '1000').write('half')
        halves.push(response)
      } else if (asked.url === '/upload') {
        asked.on('error', () => uploads.push('aborted')).on('end', () => uploads.push('end'))
        asked.once('data', () => uploads.push('begun'))
      } else if (asked.url === '/endless') {
        response.write('a')
        response.once('close', () => cancelled.push(response.writableFinished))
      } else response.end()
    },
  })
  const half = await beginVisit(second.url, hostName, { path: '/half' })
  for (const response of halves) response.destroy()
  await expect(text(half)).rejects.toThrow('aborted')

  const upload = request(new URL('/upload', second.url), {
    method: 'POST',
    agent: false,
    headers: { host: hostName },
  })
  upload.on('error', () => undefined)
  upload.write('half')
  await vi.waitFor(() => expect(uploads).toEqual(['begun']), soon)
  upload.destroy()
  await vi.waitFor(() => expect(uploads).toEqual(['begun', 'aborted']), soon)

  const endless = await beginVisit(second.url, hostName, { path: '/endless' })
  await once(endless, 'data')
  endless.destroy()
  await vi.waitFor(() => expect(cancelled).toEqual([false]), soon)
})

test('R41 a service that closes its connection after an answer is heard to the end through a hop', async () => {
  const body = noise(2_000_000)
  const { second, hostName } = await setUp(2, {
    onStream: (stream) => {
      stream.accept()
      stream.once('data', (head: Buffer) => {
        const isLarge = head.toString('latin1').startsWith('GET /large')
        stream.write(
          isLarge ? 'HTTP/1.1 200 OK\r\n\r\n' : 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
        )
        if (isLarge) stream.write(body)
        stream.destroySoon()
      })
    },
  })
  const answer = await beginVisit(second.url, hostName, { path: '/large' })
  const chunks: Buffer[] = []
  for await (const chunk of answer) {
    chunks.push(chunk)
    await wait(1)
  }
  expect(Buffer.concat(chunks).equals(body)).toBe(true)
})

test('R41 an answer that its visitor does not read slows the service down, through a hop too', async () => {
  let written = 0
  const { second, hostName } = await setUp(2, {
    onRequest: ({ url }, response) => {
      if (url !== '/flood') {
        response.end()
        return
      }
      const write = () => {
        do written += 65_536
        while (!response.destroyed && response.write(Buffer.alloc(65_536)))
      }
      response.on('drain', write)
      write()
    },
  })
  const flood = await beginVisit(second.url, hostName, { path: '/flood' })
  flood.pause()
  let before = -1
  await vi.waitFor(
    async () => {
      const now = written
      const isResting = now === before
      before = now
      expect(isResting).toBe(true)
    },
    { timeout: 10_000, interval: 500 },
  )
  expect(written).toBeLessThan(20_000_000)
  flood.resume()
  await vi.waitFor(() => expect(written).toBeGreaterThan(before), soon)
})

test('R41 WebSockets and events pass through a hop as they arrive', async () => {
  const { second, hostName } = await setUp(2, {
    onUpgrade: (asked, stream) => {
      const key = `${asked.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
      const accept = createHash('sha1').update(key).digest('base64')
      const lines = [
        'HTTP/1.1 101 Switching Protocols',
        'Connection: Upgrade',
        'Upgrade: websocket',
        `Sec-WebSocket-Accept: ${accept}`,
      ]
      stream.write(`${lines.join('\r\n')}\r\n\r\n`)
      stream.pipe(stream)
    },
    onRequest: ({ url }, response) => {
      if (url === '/events') {
        response.setHeader('content-type', 'text/event-stream').write('data: 1\n\n')
      } else response.end()
    },
  })
  const socket = request(new URL('/socket', second.url), {
    agent: false,
    headers: {
      host: hostName,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    },
  })
  socket.end()
  const [, wire]: [unknown, Socket] = await new Promise((resolve) =>
    socket.on('upgrade', (...opened) => resolve([opened[0], opened[1]])),
  )
  onTestFinished(() => void wire.destroy())
  wire.write('frames')
  expect(String((await once(wire, 'data'))[0])).toBe('frames')
  wire.end()
  await once(wire, 'close')

  const events = await beginVisit(second.url, hostName, { path: '/events' })
  expect(String((await once(events, 'data'))[0])).toBe('data: 1\n\n')
})

test('R41 the service’s own Host and its redirects work through a hop', async () => {
  const hosts: unknown[] = []
  const { first, second, hostName } = await setUp(2, {
    headers: {
      'astropelago-agent-service': 'http://192.168.1.20:8080',
      'astropelago-agent-host': 'home.example',
    },
    onRequest: ({ url, headers }, response) => {
      hosts.push(headers.host)
      if (url === '/moved') {
        response.writeHead(302, { location: 'http://192.168.1.20:8080/there' })
      } else if (url === '/named')
        response.writeHead(302, { location: 'http://home.example/there' })
      response.end()
    },
  })
  for (const { url } of [first, second]) {
    for (const path of ['/moved', '/named']) {
      const { headers } = await visit(url, hostName, { path })
      expect(headers.location).toBe(`http://${hostName}/there`)
    }
  }
  expect(new Set(hosts)).toEqual(new Set(['home.example']))
})

test('R41 [A21] streams through a hop are kept for the next request to the same island, and for no other', async () => {
  const sockets = new Map<string, Set<unknown>>()
  const { first, second, host, device, hostName } = await setUp(2, {
    onRequest: ({ socket, headers }, response) => {
      const name = String(headers.host)
      sockets.set(name, (sockets.get(name) ?? new Set()).add(socket))
      response.end()
    },
  })
  const other = await publishTestIsland(
    host,
    { access: 'public', isListed: false },
    { address: null, isRelayed: true, carrier: device.id },
  )
  const otherName = `${other.slug}.localhost`
  await reaches(second.url, otherName)
  for (let times = 0; times < 5; times += 1) {
    expect((await visit(second.url, hostName)).status).toBe(200)
    expect((await visit(second.url, otherName)).status).toBe(200)
  }
  const [ofOne = new Set(), ofOther = new Set()] = [hostName, otherName].map((name) =>
    sockets.get(name),
  )
  expect(ofOne.isDisjointFrom(ofOther)).toBe(true)
  // One of the first server’s own visitor, and one or two of the second one’s.
  expect(ofOne.size).toBeLessThan(5)
  expect(ofOther.size).toBeLessThan(5)
  expect((await countsOf(first)).sent).toBe(0)
})

test('R40 a connection that no server on the database made is refused, wherever it is sent', async () => {
  const { first, second, host, hostName, island, device } = await setUp(2, {
    onTcp: (stream) => void stream.pipe(stream),
  })
  const instances = await instancesOf(first)
  const [to, from] = instances
  if (to === undefined || from === undefined) throw new Error('two instances')
  const ends = { from: from.writer, to: to.writer, nowMs: first.clock.now() }

  const forged = [
    undefined,
    'nonsense',
    new HopGreeting(from.hopKey, ends).header,
    new HopGreeting(to.hopKey, { ...ends, to: from.writer }).header,
    new HopGreeting(to.hopKey, { ...ends, nowMs: ends.nowMs - 60_000 }).header,
  ]
  for (const header of forged) {
    const { status } = await greet(first.url, {
      ...(header !== undefined && { [hopHeader]: header }),
    })
    expect(status).toBe(404)
  }
  const good = new HopGreeting(to.hopKey, ends)
  // On an island's host name it is the service's, even with a valid greeting.
  expect((await greet(first.url, { host: hostName, [hopHeader]: good.header })).status).toBe(200)
  const { open } = await openHop(first, good)
  expect((await greet(first.url, { [hopHeader]: good.header })).status).toBe(404)

  const target = await targetOf(first, island, device)
  const page = open(`http ${target}`)
  expect(JSON.parse(await page.accepted)).toEqual({ origin: null, host: null })
  page.stream.write(`GET / HTTP/1.1\r\nHost: ${hostName}\r\nConnection: close\r\n\r\n`)
  expect(await text(page.stream)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*hello\r\n0\r\n\r\n$/)
  const wire = open(`tcp ${target}`)
  wire.stream.write('bytes')
  expect(String((await once(wire.stream, 'data'))[0])).toBe('bytes')
  wire.stream.end()
  expect(await wire.closed).toBe('')

  const [key] = target.split(' ')
  // An agent of the same host, whose device does not carry this island.
  const other = await makeServedIsland(host)
  await vi.waitFor(() => connectAgent(first.url, other.token), soon)
  expect(await open(`http ${await targetOf(first, island, other.device)}`).closed).toBe('gone')
  const own = open(`http ${await targetOf(first, other.island, other.device)}`)
  expect(JSON.parse(await own.accepted)).toEqual({ origin: null, host: null })
  const elsewhere = [`http ${key} 999999`, `http 999999 ${target}`, `http ${key}`, 'http', '', '𝄞']
  for (const what of elsewhere) expect([what, await open(what).closed]).toEqual([what, 'gone'])
  expect(first.logged()).toContain('hop_refused')
  expect((await visit(second.url, hostName)).status).toBe(200)
})

test('R41 a stream takes one hop at most: a server hands none on that it was handed', async () => {
  const { first, second, hostName, island, device } = await setUp(2)
  expect((await visit(second.url, hostName)).status).toBe(200)
  const before = await countsOf(first)
  const { open } = await openHop(second, await greetingTo(second))
  const target = await targetOf(first, island, device)
  for (const kind of ['http', 'tcp']) expect(await open(`${kind} ${target}`).closed).toBe('gone')
  expect(await countsOf(first)).toEqual(before)
})

test('R39 R41 a port’s visitor learns of a refusal behind a hop before it counts as connected', async () => {
  const { first, island, device } = await setUp(
    2,
    {
      onStream: (stream) => {
        if (stream.text === 'tcp') stream.reset('no-tcp')
        else {
          stream.accept()
          stream.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')
        }
      },
    },
    204,
  )
  const { open } = await openHop(first, await greetingTo(first))
  const { accepted, closed } = open(`tcp ${await targetOf(first, island, device)}`)
  expect(await Promise.race([accepted, closed])).toBe('no-tcp')
})

test('R5 R41 port connections over a hop take no page’s place and do not count as one network', async () => {
  const begun: FrameStream[] = []
  const { first, second, hostName, island, device } = await setUp(2, {
    onTcp: (stream) => void begun.push(stream),
  })
  const { open } = await openHop(first, await greetingTo(first))
  const what = `tcp ${await targetOf(first, island, device)}`
  for (let count = 0; count < relayRequestsPerIsland; count += 1) open(what)
  await vi.waitFor(() => expect(begun).toHaveLength(relayRequestsPerIsland), inTime)
  expect((await visit(first.url, hostName)).status).toBe(200)
  expect((await visit(second.url, hostName)).status).toBe(200)
})

test('R5 R41 streams that other servers open for an island are bounded', async () => {
  const { first, island, device } = await setUp(2)
  const { open } = await openHop(first, await greetingTo(first))
  const what = `http ${await targetOf(first, island, device)}`
  const most = relayRequestsPerIsland + relayStreamsPerIsland
  const opened = Array.from({ length: most + 50 }, () => open(what))
  const words: string[] = []
  for (const { closed } of opened) void closed.then((word) => words.push(word))
  await vi.waitFor(() => expect(words.length).toBeGreaterThanOrEqual(50), inTime)
  await Promise.all(opened.slice(0, most - 50).map(({ accepted }) => accepted))
  // Those of the other server’s own visitors may be among them.
  expect(words.length).toBeLessThan(100)
  expect(new Set(words)).toEqual(new Set(['busy']))
})

test('R42 for all servers, an agent that dials another server is only there from then on', async () => {
  const { servers, second, token, hostName, agent } = await setUp(3)
  const moved = await connectAgent(second.url, token, {
    id: agent.id,
    onRequest: (_asked, response) => response.end('moved'),
  })
  await agent.closed
  for (const { url } of servers) {
    await vi.waitFor(async () => expect((await visit(url, hostName)).body).toBe('moved'), soon)
  }
  moved.cut()
  for (const { url } of servers) {
    await vi.waitFor(async () => {
      const { status, headers } = await visit(url, hostName)
      expect({ status, retryAfter: headers['retry-after'] }).toEqual({
        status: 503,
        retryAfter: '5',
      })
    }, inTime)
  }
})

test('R43 visitors of a server whose agents leave wait for them, and get nothing but 503', async () => {
  const { servers, first, second, third, token, hostName, agent } = await setUp(3)
  const statuses = new Map<number, number>()
  const ending = new AbortController()
  const visitors = [second, third].map(async ({ url }) => {
    while (!ending.signal.aborted) {
      const { status, headers } = await visit(url, hostName)
      const isAlerted = status !== 503 || headers['retry-after'] !== undefined
      const counted = isAlerted ? status : -1
      statuses.set(counted, (statuses.get(counted) ?? 0) + 1)
      await wait(5)
    }
  })
  const stopped = first.app.close()
  await vi.waitFor(() => expect(agent.away()).toBe(''), soon)
  await connectAgent(third.url, token, { id: agent.id })
  await stopped
  for (const { url } of servers.slice(1)) await reaches(url, hostName)
  ending.abort()
  await Promise.all(visitors)
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(statuses.get(200)).toBeGreaterThan(1)
  const { instances, leases } = await postgresInstancesStore(third.storage).read()
  expect(instances).toHaveLength(2)
  expect(leases).toHaveLength(1)
})

test.each(['the agent’s', 'the visitor’s'] as const)(
  'R43 when %s server stops, what passes through a hop may finish, and the rest ends in time',
  async (whose) => {
    const answers: ServerResponse[] = []
    const { first, second, hostName } = await setUp(2, {
      onRequest: ({ url }, response) => {
        if (url === '/') response.end()
        else response.write('a')
        if (url === '/slow') answers.push(response)
      },
    })
    const slow = await beginVisit(second.url, hostName, { path: '/slow' })
    const endless = await beginVisit(second.url, hostName, { path: '/endless' })
    const heard = Promise.allSettled([text(slow), text(endless)])
    const startedMs = performance.now()
    const stopped = (whose === 'the agent’s' ? first : second).app.close()
    await wait(500)
    for (const answer of answers) answer.end('b')
    const [whole, half] = await heard
    expect(whole).toEqual({ status: 'fulfilled', value: 'ab' })
    expect(half.status).toBe('rejected')
    await stopped
    expect(performance.now() - startedMs).toBeLessThan(7000)
  },
)

test('R43 servers between which nothing passes stop at once', async () => {
  const { first, second } = await setUp(2)
  for (const { app } of [second, first]) {
    const startedMs = performance.now()
    await app.close()
    expect(performance.now() - startedMs).toBeLessThan(2000)
  }
})

test('R43 a cut connection between servers is restored, and waiting visitors get 503', async () => {
  const asked: unknown[] = []
  const { first, second, hostName } = await setUp(2, { onRequest: slowly(asked) })
  const slow = ['GET', 'POST'].map((method) =>
    visit(second.url, hostName, { path: '/slow', method, ...(method === 'POST' && { body: 'a' }) }),
  )
  await vi.waitFor(() => expect(asked).toHaveLength(2), soon)
  first.hops.cut()
  for (const { status, headers } of await Promise.all(slow)) {
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '5' })
  }
  first.hops.mend()
  await reaches(second.url, hostName)
})

test('R43 a silent server is given up within 5 s: nobody hangs, and the next one takes over', async () => {
  const asked: unknown[] = []
  const { first, second, token, hostName, agent } = await setUp(2, { onRequest: slowly(asked) })
  const sent = visit(second.url, hostName, { path: '/slow', method: 'POST', body: 'a' })
  const repeatable = visit(second.url, hostName, { path: '/slow' })
  await vi.waitFor(() => expect(asked).toHaveLength(2), soon)
  const cutMs = performance.now()
  first.hops.stall()
  expect(await sent).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  // A busy machine may take a second more.
  expect(performance.now() - cutMs).toBeLessThan(6000)
  // It may be sent again, and waits 3 s for an agent that takes it.
  expect(await repeatable).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  expect(performance.now() - cutMs).toBeLessThan(9000)
  expect(asked).toHaveLength(2)
  expect((await visit(second.url, hostName)).status).toBe(503)
  await connectAgent(second.url, token, { id: agent.id })
  await reaches(second.url, hostName)
})

test('R44 a server without INSTANCE_URL logs that, and visitors of the others get a page that says so', async () => {
  const { databaseUrl, servers, token, hostName } = await startRelayCluster(1, {
    instanceUrl: undefined,
  })
  const [first] = servers
  if (first === undefined) throw new Error('no server')
  const second = await startRelayServer(databaseUrl)
  await connectAgent(first.url, token)
  await reaches(first.url, hostName)
  await vi.waitFor(async () => {
    const { status, headers, body } = await visit(second.url, hostName)
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({
      status: 503,
      retryAfter: '60',
    })
    expect(body).toContain('can’t be reached from here')
  }, inTime)
  await vi.waitFor(() => expect(first.logged()).toContain('INSTANCE_URL is not set'), inTime)
  expect(second.logged()).not.toContain('INSTANCE_URL is not set')
})

test('a thousand agents that connect at once take few transactions, and none while they stay', async () => {
  const { servers } = await startRelayCluster(1)
  const [first] = servers
  if (first === undefined) throw new Error('no server')
  const store = postgresInstancesStore(first.storage)
  const all = Array.from({ length: 1000 }, (_, key) => ({
    deviceKey: key + 1,
    agentId: 'a',
    islandKey: null,
    sinceMs: 1,
  }))
  const begun = first.storage.instance.turns().begun
  await store.write(all, [])
  await store.write(all, [])
  await store.write([], all.slice(0, 999))
  expect(first.storage.instance.turns().begun - begun).toBeLessThan(10)
  expect((await store.read()).leases).toHaveLength(1)
})

test('R44 a server that is cut off from the database lets nobody in and says why', async () => {
  const { second, hostName } = await setUp(2)
  second.proxy.stall()
  await vi.waitFor(async () => {
    const { status, headers } = await visit(second.url, hostName)
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '2' })
  }, inTime)
  second.proxy.mend()
  await reaches(second.url, hostName)
})
