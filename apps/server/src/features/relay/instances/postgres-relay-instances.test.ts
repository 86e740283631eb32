import { once } from 'node:events'
import { request } from 'node:http'
import {
  connect as connectHttp2,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { relayRequestsPerIsland } from '@astropelago/contract/limits'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectAgent, noise, type OnStream } from '../../../test/relay-agent.ts'
import { hopPath, hopProtocol } from './hop-connection.ts'
import { HopGreeting, hopHeader, hopTargetHeader } from './hop-signature.ts'
import { postgresInstancesStore } from './postgres-instances-store.ts'
import {
  beginVisit,
  startRelayCluster,
  startRelayServer,
  visit,
  type RelayServer,
} from './testing/relay-cluster.ts'
import { inTime } from '../../../test/in-time.ts'

vi.setConfig({ testTimeout: 60_000 })
/** All servers know of a change within a second if the machine is not busy. */
const soon = { timeout: 3000, interval: 20 }

/** The first server holds the agent. Resolves when visitors of all servers reach it. */
async function setUp(size: number, onStream?: OnStream) {
  const cluster = await startRelayCluster(size, { metricsToken: 'metrics' })
  const [first, second = first, third = second] = cluster.servers
  if (first === undefined || second === undefined || third === undefined) throw new Error('none')
  const agent = await connectAgent(first.url, cluster.token, { ...(onStream && { onStream }) })
  for (const { url } of cluster.servers) await reaches(url, cluster.hostName)
  return { ...cluster, first, second, third, agent }
}

async function reaches(url: string, host: string): Promise<void> {
  await vi.waitFor(async () => expect((await visit(url, host)).status).toBe(200), inTime)
}

function echo(seen: IncomingHttpHeaders[]): OnStream {
  return (stream, headers) => {
    if (headers[':path'] === '/') {
      stream.respond({ ':status': 200 }, { endStream: true })
      return
    }
    seen.push(headers)
    const length = headers['content-length']
    stream.additionalHeaders({ ':status': 103, link: '</style.css>; rel=preload' })
    stream.respond(
      { ':status': 200, ...(length !== undefined && { 'content-length': length }) },
      { waitForTrailers: length === undefined },
    )
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': 'whole' }))
    stream.pipe(stream)
  }
}

/** Opens an HTTP/2 session on a hop connection that was accepted. */
async function openHop(
  { socket, answer }: Awaited<ReturnType<typeof greet>>,
  greeting: HopGreeting,
) {
  const signer = greeting.accept(answer)
  if (socket === undefined || signer === undefined) throw new Error('not taken')
  const session = connectHttp2('http://hop.invalid', { createConnection: () => socket })
  session.on('error', () => undefined)
  onTestFinished(() => session.destroy())
  await once(session, 'remoteSettings')
  return { session, signer }
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

/** The instances in a server's database. */
async function instancesOf({ storage }: RelayServer) {
  return (await postgresInstancesStore(storage).read()).instances
}

const countsOf = async ({ inject }: RelayServer) => {
  const { body } = await inject({ url: '/metrics', headers: { authorization: 'Bearer metrics' } })
  const read = (name: string) => Number(body.split(name)[1]?.split('\n', 1)[0])
  return {
    sent: read('hop_requests_total{way="sent"}'),
    taken: read('hop_requests_total{way="taken"}'),
  }
}

test('R41 a visitor of any server reaches any agent in one hop, as if there were none', async () => {
  const seen: IncomingHttpHeaders[] = []
  const { first, second, third, hostName } = await setUp(3, echo(seen))
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
        [hopTargetHeader]: '1 1',
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
  const [direct, ...others] = seen.filter((headers) => headers[':path'] === '/file?a=%2F')
  expect(direct).toMatchObject({
    ':method': 'PUT',
    ':authority': hostName,
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-host': hostName,
  })
  expect(others).toEqual([direct, direct])
  expect(JSON.stringify(seen)).not.toContain('astropelago-hop')
  const [held, ...around] = await Promise.all([first, second, third].map(countsOf))
  const sent = around.reduce((sum, counts) => sum + counts.sent, 0)
  expect(sent).toBeGreaterThanOrEqual(4)
  expect(held).toEqual({ sent: 0, taken: sent })
  expect(around.map(({ taken }) => taken)).toEqual([0, 0])
})

test('R41 a break behind a hop is a break before it: half an answer, half an upload, a visitor who leaves', async () => {
  const uploads: string[] = []
  const cancelled: string[] = []
  const { second, hostName } = await setUp(2, (stream, headers) => {
    if (headers[':path'] === '/half') {
      stream.respond({ ':status': 200, 'content-length': '1000' })
      stream.write('half', () => stream.destroy(new Error('broken')))
    } else if (headers[':path'] === '/upload') {
      stream.on('aborted', () => uploads.push('aborted')).on('end', () => uploads.push('end'))
      stream.resume()
    } else if (headers[':path'] === '/endless') {
      stream.respond({ ':status': 200 })
      stream.write('a')
      stream.once('close', () => cancelled.push(String(stream.rstCode)))
    } else stream.respond({ ':status': 200 }, { endStream: true })
  })
  const half = await beginVisit(second.url, hostName, { path: '/half' })
  await expect(text(half)).rejects.toThrow('aborted')

  const upload = request(new URL('/upload', second.url), {
    method: 'POST',
    agent: false,
    headers: { host: hostName },
  })
  upload.on('error', () => undefined)
  upload.write('half', () => upload.destroy())
  await vi.waitFor(() => expect(uploads).toContain('aborted'), soon)

  const endless = await beginVisit(second.url, hostName, { path: '/endless' })
  await once(endless, 'data')
  endless.destroy()
  await vi.waitFor(() => expect(cancelled).toEqual(['8']), soon)
})

test('R41 an answer that its visitor does not read slows the service down, through a hop too', async () => {
  let written = 0
  const { second, hostName } = await setUp(2, (stream, headers) => {
    stream.respond({ ':status': 200 })
    if (headers[':path'] !== '/flood') {
      stream.end()
      return
    }
    const write = () => {
      do written += 65_536
      while (!stream.destroyed && stream.write(Buffer.alloc(65_536)))
    }
    stream.on('drain', write)
    write()
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
  const { second, hostName } = await setUp(2, (stream, headers) => {
    if (headers[':protocol'] === 'websocket') {
      stream.respond({ ':status': 200 })
      stream.pipe(stream)
      return
    }
    const isEvents = headers[':path'] === '/events'
    stream.respond({ ':status': 200, ...(isEvents && { 'content-type': 'text/event-stream' }) })
    if (isEvents) stream.write('data: 1\n\n')
    else stream.end()
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

test('R40 a request that no server on the database signed is refused, wherever it is sent', async () => {
  const { first, second, hostName, island, device } = await setUp(2, (stream, headers) => {
    stream.respond({ ':status': 200 })
    if (headers[':method'] === 'CONNECT') stream.pipe(stream)
    else stream.end()
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
  // On an island's host name it is the service's, even with a valid signature.
  expect((await greet(first.url, { host: hostName, [hopHeader]: good.header })).status).toBe(200)
  const taken = await greet(first.url, { [hopHeader]: good.header })
  expect(taken.status).toBe(101)
  expect((await greet(first.url, { [hopHeader]: good.header })).status).toBe(404)

  const { session, signer } = await openHop(taken, good)
  const target = await targetOf(first, island, device)
  const asked = {
    ':method': 'GET',
    ':scheme': 'http',
    ':authority': hostName,
    ':path': '/',
    'x-forwarded-for': '192.0.2.1',
    [hopTargetHeader]: target,
  }
  const statusOf = async (headers: IncomingHttpHeaders) => {
    const stream = session.request(headers)
    stream.resume()
    const [head]: IncomingHttpHeaders[] = await once(stream, 'response')
    return { status: head?.[':status'], error: head?.['astropelago-relay-error'] }
  }
  const nowMs = first.clock.now()
  const signed = { ...asked, [hopHeader]: signer.sign(asked, nowMs) }
  const gone = { status: 503, error: 'gone' }
  expect(await statusOf(asked)).toEqual(gone)
  expect(await statusOf({ ...signed, 'x-forwarded-for': '192.0.2.2' })).toEqual(gone)
  expect(await statusOf(signed)).toEqual({ status: 200, error: undefined })
  expect(await statusOf(signed)).toEqual(gone)
  const old = { ...asked, [hopHeader]: signer.sign(asked, nowMs - 60_000) }
  expect(await statusOf(old)).toEqual(gone)
  const tcp = {
    ':method': 'CONNECT',
    ':authority': 'tcp',
    [hopTargetHeader]: asked[hopTargetHeader],
  }
  const wire = session.request({ ...tcp, [hopHeader]: signer.sign(tcp, nowMs) })
  wire.write('bytes')
  expect(String((await once(wire, 'data'))[0])).toBe('bytes')
  wire.end()
  await once(wire, 'close')
  // A request that was handed on is only for agents on this server. It goes no further.
  const elsewhere = { ...asked, [hopTargetHeader]: target.replace(/\d+$/, '999999') }
  expect(await statusOf({ ...elsewhere, [hopHeader]: signer.sign(elsewhere, nowMs) })).toEqual(gone)
  expect(first.logged()).toContain('hop_refused')
  expect((await visit(second.url, hostName)).status).toBe(200)
})

test('R5 R41 port connections over a hop take no page’s place and do not count as one network', async () => {
  const begun: ServerHttp2Stream[] = []
  const { first, second, hostName, island, device } = await setUp(2, (stream, headers) => {
    if (headers[':method'] === 'CONNECT') begun.push(stream)
    else stream.respond({ ':status': 200 }, { endStream: true })
  })
  const [to, from] = await instancesOf(first)
  if (to === undefined || from === undefined) throw new Error('two instances')
  const nowMs = first.clock.now()
  const greeting = new HopGreeting(to.hopKey, { from: from.writer, to: to.writer, nowMs })
  const { session, signer } = await openHop(
    await greet(first.url, { [hopHeader]: greeting.header }),
    greeting,
  )
  const tcp = {
    ':method': 'CONNECT',
    ':authority': 'tcp',
    [hopTargetHeader]: await targetOf(first, island, device),
  }
  for (let count = 0; count < relayRequestsPerIsland; count += 1) {
    const stream = session.request({ ...tcp, [hopHeader]: signer.sign(tcp, nowMs) })
    stream.on('error', () => undefined)
  }
  await vi.waitFor(() => expect(begun).toHaveLength(relayRequestsPerIsland), inTime)
  expect((await visit(first.url, hostName)).status).toBe(200)
  expect((await visit(second.url, hostName)).status).toBe(200)
})

test('R42 for all servers, an agent that dials another server is only there from then on', async () => {
  const { servers, second, token, hostName, agent } = await setUp(3)
  const moved = await connectAgent(second.url, token, {
    id: agent.id,
    onStream: (stream) => {
      stream.respond({ ':status': 200 })
      stream.end('moved')
    },
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
  const said = once(agent.session, 'goaway')
  const stopped = first.app.close()
  await said
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

test('R43 a cut connection between servers is restored, and waiting visitors get 503', async () => {
  const { first, second, hostName } = await setUp(2, (stream, headers) => {
    if (headers[':path'] === '/slow') return
    stream.respond({ ':status': 200 }, { endStream: true })
  })
  const slow = ['GET', 'POST'].map((method) =>
    visit(second.url, hostName, { path: '/slow', method, ...(method === 'POST' && { body: 'a' }) }),
  )
  await vi.waitFor(async () => expect((await countsOf(first)).taken).toBeGreaterThan(2), soon)
  first.hops.cut()
  for (const { status, headers } of await Promise.all(slow)) {
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '5' })
  }
  first.hops.mend()
  await reaches(second.url, hostName)
})

test('R43 a silent server is given up within 5 s: nobody hangs, and the next one takes over', async () => {
  const { first, second, token, hostName, agent } = await setUp(2, (stream, headers) => {
    if (headers[':path'] === '/slow') return
    stream.respond({ ':status': 200 }, { endStream: true })
  })
  const slow = visit(second.url, hostName, { path: '/slow' })
  await wait(200)
  const cutMs = performance.now()
  first.hops.stall()
  expect(await slow).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  // A busy machine may take a second more.
  expect(performance.now() - cutMs).toBeLessThan(6000)
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
