import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import net, { type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { HomeService } from './testing/home-service.ts'
import { listen } from './testing/listen.ts'
import { types } from './testing/frames.ts'
import { ownCertificate } from './testing/own-certificate.ts'
import type { PeerSession } from './testing/peer-session.ts'
import { ask, askThrough, type PeerOptions, RelayPeer } from './testing/relay-peer.ts'
import { agentFile, makeTokenFile, runAgent, type RunningAgent } from './testing/run-agent.ts'

type RunOptions = Parameters<typeof runAgent>[1]

async function startPeer(options?: PeerOptions): Promise<RelayPeer> {
  const peer = await RelayPeer.start(options)
  onTestFinished(() => peer.close())
  return peer
}

async function startAgent(
  url: string,
  options?: RunOptions,
  ...args: string[]
): Promise<RunningAgent> {
  const agent = await runAgent(['--server', url, '--to', 'http://localhost:1', ...args], options)
  onTestFinished(() => agent.stop())
  return agent
}

async function startService(): Promise<HomeService> {
  const service = await HomeService.start()
  onTestFinished(() => service.close())
  return service
}

const refusal = (status: number, code: string, error: string) => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ code, error }),
})

/** The retry delays that it has announced, in seconds. */
const waits = (agent: RunningAgent) =>
  agent.lines().flatMap((line) => {
    const [, seconds] = /^trying again in (\S+) s$/.exec(line) ?? []
    return seconds === undefined ? [] : [Number(seconds)]
  })

describe('connecting', () => {
  test('[A1] sends an upgrade with the token, the agent’s id and its version', async () => {
    const peer = await startPeer()
    const agent = await startAgent(peer.url, {}, '--island', 'bar', '--host-header', 'app.local')
    await peer.connected()
    await agent.says(/^connected as bar, tavern$/)
    expect(peer.dials.map(({ method, url }) => [method, url])).toEqual([
      ['GET', '/api/relay/connect'],
    ])
    expect(peer.dials[0]?.headers).toMatchObject({
      connection: 'Upgrade',
      upgrade: 'astropelago-relay/2',
      authorization: 'Bearer apd_test-token',
      'astropelago-agent': expect.stringMatching(/^[\da-f-]{36}$/),
      'astropelago-agent-version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
      'astropelago-island': 'bar',
      'astropelago-agent-service': 'http://localhost:1',
      'astropelago-agent-host': 'app.local',
    })
    expect(peer.dials[0]?.headers).not.toHaveProperty('astropelago-agent-check')
  })

  test('[A1] works over TLS, and so does everything after it', async () => {
    const peer = await startPeer({ tls: ownCertificate(), pingMs: 100 })
    const service = await startService()
    const agent = await startAgent(peer.url, { speed: 8 }, '--to', service.url)
    const session = await peer.connected()
    const path = service.serve((request, response) => request.pipe(response))
    const body = Buffer.alloc(3 * 2 ** 20, 'x')
    expect((await ask(session, path, { method: 'POST', body })).body.equals(body)).toBe(true)
    // Only silence in bytes ends a connection. Its time, 2 s at this speed, passes here.
    for (let at = 0; at < 24; at += 1) {
      await session.ping()
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(agent.lines().filter((line) => line.startsWith('connection lost'))).toEqual([])
  })

  test.each([200, 400, 404, 426, 501])(
    '[A2] uses a WebSocket if a proxy answers %s to another upgrade',
    async (status) => {
      const peer = await startPeer({ webSocketsAlone: status })
      const service = await startService()
      await startAgent(peer.url, {}, '--to', service.url)
      const session = await peer.connected()
      expect(peer.dials.map(({ headers }) => headers.upgrade)).toEqual([
        'astropelago-relay/2',
        'websocket',
      ])
      expect(peer.dials[1]?.headers.authorization).toBe('Bearer apd_test-token')
      const path = service.serve((request, response) => request.pipe(response))
      // Frames of each length encoding: below 126 bytes, below 64 KiB, above.
      for (const length of [1, 100, 5000, 70_000, 5 * 2 ** 20]) {
        const body = Buffer.alloc(length, 'abcdefg')
        const answer = await ask(session, path, { method: 'POST', body })
        expect(answer.body.equals(body)).toBe(true)
      }
    },
  )

  test('[A2] uses a WebSocket if a proxy removed the header, but not after another refusal by the server', async () => {
    const cut = await startPeer({
      refuse: ({ headers }) =>
        headers.upgrade === 'websocket' ? undefined : refusal(426, 'upgrade_required', 'Upgrade.'),
    })
    await startAgent(cut.url)
    await cut.connected()
    const none = await startPeer({
      refuse: (_, dials) =>
        dials === 1 ? refusal(500, 'server_error', 'Something went wrong.') : undefined,
    })
    const agent = await startAgent(none.url)
    await none.connected()
    expect(agent.lines()).toContain('not connected: Something went wrong.')
    expect(none.dials.map(({ headers }) => headers.upgrade)).toEqual([
      'astropelago-relay/2',
      'astropelago-relay/2',
    ])
  })

  test('[A2] says where a newer agent is if the server accepts neither way', async () => {
    const peer = await startPeer({
      refuse: (_, dials) => (dials < 3 ? refusal(426, 'upgrade_required', 'Another.') : undefined),
    })
    const agent = await startAgent(peer.url)
    await peer.connected()
    expect(agent.lines()).toContain(
      `not connected: this server needs another version of this agent: the newest is at ${peer.url}/agent.mjs`,
    )
  })

  test('[A2] remembers the way that worked', async () => {
    const peer = await startPeer({ webSocketsAlone: 400 })
    await startAgent(peer.url)
    const session = await peer.connected()
    session.away()
    await peer.connected()
    expect(peer.dials.map(({ headers }) => headers.upgrade)).toEqual([
      'astropelago-relay/2',
      'websocket',
      'websocket',
    ])
  })

  test.each([undefined, 400])(
    '[A3] is repeated when the connection is cut (only WebSockets: %s)',
    async (status) => {
      const peer = await startPeer(status === undefined ? {} : { webSocketsAlone: status })
      const agent = await startAgent(peer.url)
      await peer.connected()
      await agent.says(/^connected/)
      peer.cut()
      await agent.says(/^connection lost: /)
      await agent.says(/^trying again in 0\.[0-2] s$/)
      await peer.connected()
      expect(peer.sessions.length).toBe(2)
    },
  )
})

describe('a refusal', () => {
  test.each([
    [401, 'invalid_token', 'This token is not valid any more.'],
    [403, 'wrong_scope', 'This token can’t carry visitors: make one for hosting.'],
  ])(
    'R49 [A3] with %s and the API’s error ends the agent for good',
    async (status, code, error) => {
      const peer = await startPeer({ refuse: () => refusal(status, code, error) })
      const agent = await startAgent(peer.url)
      expect(await agent.exited).toBe(2)
      expect(agent.lines().at(-1)).toBe(`refused: ${error}`)
      expect(peer.dials.length).toBe(1)
    },
  )

  test('[A3] with control characters is printed without them', async () => {
    const peer = await startPeer({
      refuse: () => refusal(403, 'forbidden', 'No.\u001b[2J\u202e\nrefused: not so'),
    })
    const agent = await startAgent(peer.url)
    expect(await agent.exited).toBe(2)
    expect(agent.lines().at(-1)).toBe('refused: No. [2J  refused: not so')
  })

  test('[A3] for a missing island is retried each minute', async () => {
    const sentence = 'This device carries no such island.'
    const peer = await startPeer({
      refuse: (_, dials) => (dials < 3 ? refusal(403, 'no_relayed_island', sentence) : undefined),
      pingMs: 10,
    })
    const agent = await startAgent(peer.url, { speed: 60 })
    await peer.connected()
    expect(agent.lines()).toContain(`not connected: ${sentence}`)
    expect(waits(agent).filter((wait) => wait >= 60).length).toBe(2)
  })

  test('[A3] with a captive portal’s own 403 does not end the agent', async () => {
    const peer = await startPeer({
      refuse: (_, dials) => (dials < 3 ? { status: 403, body: '<h1>Pay first</h1>' } : undefined),
    })
    const agent = await startAgent(peer.url)
    await peer.connected()
    expect(agent.lines()).toContain(
      'not connected: a proxy or portal answers instead of the server (403)',
    )
  })

  test('[A3] with Retry-After delays the next try at least that long', async () => {
    const busy = refusal(503, 'overloaded', 'Too much to do.')
    const peer = await startPeer({
      refuse: (_, dials) =>
        dials === 1 ? { ...busy, headers: { 'Retry-After': '7' } } : undefined,
      pingMs: 50,
    })
    const agent = await startAgent(peer.url, { speed: 40 })
    await peer.connected()
    expect(agent.lines()).toContain('not connected: Too much to do.')
    const [wait = 0] = waits(agent)
    expect(wait).toBeGreaterThanOrEqual(7)
    expect(wait).toBeLessThan(7.3)
  })

  test('R49 [A3] that repeats leads to waits that grow to at most 30 s', async () => {
    const peer = await startPeer({
      refuse: (_, dials) => (dials <= 14 ? refusal(503, 'overloaded', 'No.') : undefined),
      pingMs: 10,
    })
    const agent = await startAgent(peer.url, { speed: 150 })
    await peer.connected()
    const found = waits(agent)
    // At this speed, a busy machine may miss one or two.
    expect(found.length).toBeGreaterThanOrEqual(14)
    found.forEach((wait, at) => {
      expect(wait).toBeLessThanOrEqual(Math.min(30, 0.25 * 2 ** at) + 0.05)
    })
    // The delays are random. The odds that all are shorter are one in some thousands.
    expect(Math.max(...found.slice(7))).toBeGreaterThan(8)
  })
})

/** A proxy between both that can fall silent without closing a connection. */
async function silentProxy(peerPort: number): Promise<{ url: string; fallSilent: () => void }> {
  const pairs: (readonly [Socket, Socket])[] = []
  const proxy = net.createServer((near) => {
    const far = net.connect(peerPort, '127.0.0.1')
    pairs.push([near, far])
    for (const socket of [near, far]) socket.on('error', () => undefined)
    near.pipe(far)
    far.pipe(near)
  })
  const port = await listen(proxy)
  onTestFinished(() => {
    for (const socket of pairs.flat()) socket.destroy()
    proxy.close()
  })
  return {
    url: `http://localhost:${port}`,
    fallSilent: () => {
      for (const [near, far] of pairs) {
        near.unpipe(far)
        far.unpipe(near)
        far.resume()
      }
    },
  }
}

/** A request whose answer has begun, and the whole answer. */
async function begin(session: PeerSession, path: string): Promise<{ body: Promise<string> }> {
  const request = askThrough(session.openStream('http'), path).end()
  const [response]: IncomingMessage[] = await once(request, 'response')
  if (response === undefined) throw new Error('no answer')
  return { body: text(response) }
}

describe('a connection', () => {
  test('[A4] without data for 16 s is ended and replaced', async () => {
    const peer = await startPeer({ pingMs: 100 })
    const proxy = await silentProxy(peer.port)
    const agent = await startAgent(proxy.url, { speed: 40 })
    const session = await peer.connected()
    // Longer than the silence that ends a connection, but with pings.
    for (let at = 0; at < 10; at += 1)
      await session.ping().then(() => new Promise((resolve) => setTimeout(resolve, 100)))
    expect(peer.dials.length).toBe(1)
    proxy.fallSilent()
    await agent.says(/^connection lost: the server was silent for 16 s$/)
    await peer.connected()
  })

  test('[A4] of a laptop that slept for a day is replaced when it wakes', async () => {
    const peer = await startPeer()
    const proxy = await silentProxy(peer.port)
    const agent = await startAgent(proxy.url)
    await peer.connected()
    await agent.says(/^connected/)
    proxy.fallSilent()
    const wokenMs = performance.now()
    // The wall clock has moved on, the process's monotonic clock has not.
    agent.kill('SIGUSR2')
    await agent.says(/^connection lost: the server was silent for 16 s$/)
    await peer.connected()
    expect(performance.now() - wokenMs).toBeLessThan(15_000)
  })

  test('[A4] to a program that never says anything is ended too', async () => {
    const mute = net.createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () =>
        socket.write(
          'HTTP/1.1 101 Fine\r\nConnection: Upgrade\r\nUpgrade: astropelago-relay/2\r\n\r\n',
        ),
      )
    })
    const port = await listen(mute)
    onTestFinished(() => void mute.close())
    const agent = await startAgent(`http://localhost:${port}`, { speed: 40 })
    await agent.says(/^connection lost: the server was silent for 16 s$/)
    expect(agent.lines()).not.toContain('connected')
  })

  test('[A4] with invalid data is ended', async () => {
    const loud = net.createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () =>
        socket.write(
          'HTTP/1.1 101 Fine\r\nConnection: Upgrade\r\nUpgrade: astropelago-relay/2\r\n\r\nSSH-2.0-OpenSSH_9.2p1 Debian-2\r\n',
        ),
      )
    })
    const port = await listen(loud)
    onTestFinished(() => void loud.close())
    const agent = await startAgent(`http://localhost:${port}`)
    await agent.says(/^connection lost: the server broke the protocol: a frame of type 83 /)
    await agent.says(/^trying again /)
    expect(agent.lines().filter((line) => line.startsWith('connected'))).toEqual([])
  })

  test('[A5] that the server asks to leave is replaced at once, and finishes its requests', async () => {
    const peer = await startPeer()
    const service = await startService()
    const agent = await startAgent(peer.url, {}, '--to', service.url)
    const first = await peer.connected()
    let finish: (() => void) | undefined
    const path = service.serve((_, response) => {
      response.write('begun, ')
      finish = () => response.end('ended')
    })
    const { body } = await begin(first, path)
    first.away()
    const second = await peer.connected()
    await agent.says(/^the server asks this agent to reconnect$/)
    const other = service.serve((_, response) => response.end('other'))
    expect((await ask(second, other)).body.toString()).toBe('other')
    expect(first.isClosed).toBe(false)
    finish?.()
    expect(await body).toBe('begun, ended')
    await first.closed
    expect(waits(agent)).toEqual([])
  })

  test('[A5] that is replaced lasts another minute at most', async () => {
    const peer = await startPeer({ pingMs: 50 })
    const service = await startService()
    await startAgent(peer.url, { speed: 60 }, '--to', service.url)
    const first = await peer.connected()
    const path = service.serve((_, response) => response.write('for ever'))
    const { body } = await begin(first, path)
    first.away()
    await expect(body).rejects.toThrow('aborted')
  })

  test('R49 [A5] that is asked to leave repeatedly is replaced with delays', async () => {
    const peer = await startPeer()
    const agent = await startAgent(peer.url)
    for (let at = 0; at < 4; at += 1) (await peer.connected()).away()
    await peer.connected()
    expect(waits(agent).length).toBe(3)
  })

  test('[A6] of a restarted agent has the same id, and one for another island has another', async () => {
    const peer = await startPeer()
    const tokenFile = await makeTokenFile()
    onTestFinished(() => rmSync(join(tokenFile, '..'), { recursive: true }))
    for (const args of [[], [], ['--island', 'bar']]) {
      const agent = await startAgent(peer.url, { tokenFile }, ...args)
      await peer.connected()
      await agent.stop()
    }
    const [first, second, third] = peer.dials.map(({ headers }) => headers['astropelago-agent'])
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  test('[A6] that another process took over returns with an id of its own', async () => {
    const peer = await startPeer()
    const agent = await startAgent(peer.url)
    const session = await peer.connected()
    session.away('taken over')
    await peer.connected()
    await agent.says(/another agent runs with this token file/)
    const [first, second] = peer.dials.map(({ headers }) => headers['astropelago-agent'])
    expect(second).not.toBe(first)
  })

  test('[A8] to a server with another agent is told at most once a day', async () => {
    const hash = createHash('sha256').update(readFileSync(agentFile)).digest('hex')
    const peer = await startPeer({
      hash: hash.replace(/^./, (first) => (first === '0' ? '1' : '0')),
    })
    const agent = await startAgent(peer.url)
    const newer = `this server has a newer version of this agent: ${peer.url}/agent.mjs`
    const told = () => agent.lines().filter((line) => line === newer).length
    for (let at = 0; at < 2; at += 1) (await peer.connected()).away()
    const session = await peer.connected()
    await agent.says(/newer version/)
    expect(told()).toBe(1)
    // A day later.
    agent.kill('SIGUSR2')
    session.away()
    await agent.says(/newer version/)
    const same = await startPeer({ hash })
    const upToDate = await startAgent(same.url)
    await same.connected()
    await upToDate.says(/^connected/)
    expect(upToDate.lines().join()).not.toContain('newer')
  })

  test('[A15] that is lost ends its requests at the service', async () => {
    const peer = await startPeer()
    const service = await startService()
    await startAgent(peer.url, {}, '--to', service.url)
    const session = await peer.connected()
    const ended = new Promise((resolve) => {
      const path = service.serve((_, response) => {
        response.on('close', resolve)
        peer.cut()
      })
      askThrough(session.openStream('http'), path)
        .end()
        .on('error', () => undefined)
    })
    await ended
    await peer.connected()
    expect(peer.sessions.length).toBe(2)
  })
})

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('[A7] ends the agent once its requests have ended, and it accepts no new ones', async () => {
    const peer = await startPeer()
    const service = await startService()
    const agent = await startAgent(peer.url, {}, '--to', service.url)
    const session = await peer.connected()
    let finish: (() => void) | undefined
    const path = service.serve((_, response) => {
      response.write('begun, ')
      finish = () => response.end('ended')
    })
    const { body } = await begin(session, path)
    agent.kill(signal)
    await session.next(({ type }) => type === types.away)
    finish?.()
    expect(await body).toBe('begun, ended')
    expect(await agent.exited).toBe(0)
    expect(peer.dials.length).toBe(1)
  })

  test('[A7] ends the agent within 5 s, whatever is under way', async () => {
    const peer = await startPeer({ pingMs: 50 })
    const service = await startService()
    const agent = await startAgent(peer.url, { speed: 20 }, '--to', service.url)
    const session = await peer.connected()
    const { body } = await begin(
      session,
      service.serve((_, response) => response.write('x')),
    )
    const end = body.catch(String)
    agent.kill(signal)
    expect(await agent.exited).toBe(0)
    expect(await end).toBe('Error: aborted')
  })

  test('[A7] ends an agent that waits to reconnect', async () => {
    const agent = await startAgent('http://localhost:1')
    await agent.says(/^trying again /)
    agent.kill(signal)
    expect(await agent.exited).toBe(0)
  })
})
