import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { BlockList, createServer } from 'node:net'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { portConnectionsPerAddress, portConnectionsPerIsland } from '@astropelago/contract/limits'
import type { AccessPolicy } from '@astropelago/contract/islands'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { TestAppOptions } from '../../../test/create-test-app.ts'
import { portOf as portOfServer } from '../../../test/listen.ts'
import { operatorOf, operatorOptions } from '../../../test/operator-app.ts'
import { makeTempDir } from '../../../test/open-test-storage.ts'
import { connectAgent, noise } from '../../../test/relay-agent.ts'
import { createRelayApp, makeServedIsland, shareRelayApp } from '../../../test/relay-app.ts'
import {
  echoTcp,
  openTestPort,
  takeTestPort,
  visitPort as visitPortAt,
} from '../../../test/relay-ports.ts'
import { socketPair } from '../../../test/socket-pair.ts'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import { KeptStreams } from '../agents/kept-streams.ts'
import type { ReachableAgent } from '../agents/reachable-agents.ts'
import { FrameSession } from '../frames/frame-session.ts'
import type { FrameStream } from '../frames/frame-stream.ts'
import { RelayCounts } from '../relay-counts.ts'
import { testIsland } from '../testing/test-island.ts'
import { Transfers } from '../visitors/transfers.ts'
import { createPortVisitors } from './port-visitors.ts'
import { inTime } from '../../../test/in-time.ts'

const hourMs = 3_600_000
/** After losing access, connections end within this time. */
const soon = { timeout: 1000, interval: 10 }

// A loopback address of its own, where nothing else listens.
const relayPorts = {
  host: `127.7.${randomInt(1, 255)}.${randomInt(1, 255)}`,
  first: 9001,
  last: 9050,
}
const withPorts: TestAppOptions = { config: { ...operatorOptions.config, relayPorts } }
/** For a test that has a server of its own. */
const alone: TestAppOptions = {
  config: { relayPorts: { ...relayPorts, first: 9101, last: 9150 } },
}
const visitPort = (port: number, { from = '127.0.0.1' } = {}) =>
  visitPortAt(port, { host: relayPorts.host, from })

/** An island with an access policy and a port. Its agent says hello and echoes. */
async function setUp({
  access = 'public',
  service = { onTcp: echoTcp },
  opening = shareRelayApp(withPorts),
}: {
  readonly access?: AccessPolicy
  readonly service?: Parameters<typeof connectAgent>[2]
  readonly opening?: ReturnType<typeof shareRelayApp>
} = {}) {
  const testApp = await opening
  const { host, signUp, url } = testApp
  const relayed = await makeServedIsland(host, { access })
  const { island, token } = relayed
  const port = await takeTestPort(host, island.id)
  // The cache has the island a moment after the database.
  const agent = await vi.waitFor(() => connectAgent(url, token, service), soon)
  /** Makes somebody a member who opens the island's page from an address. */
  const makeMember = async (from: string) => {
    const member = await signUp()
    if (access === 'invited') {
      const invited = await host.inject({
        method: 'POST',
        url: `/api/islands/${island.id}/invitations`,
        payload: {},
      })
      const { code } = invited.json<{ code: string }>()
      await member.inject({ method: 'POST', url: '/api/invitations/accept', payload: { code } })
    }
    const opened = await openTestPort(member, island.id, { remoteAddress: from })
    return { ...member, opened }
  }
  return { ...testApp, ...relayed, port, agent, makeMember }
}

/** A port without a server behind it, on which what visitors depend on can be replaced. */
async function setUpBare(options: Partial<Parameters<typeof createPortVisitors>[0]>) {
  const visitors = createPortVisitors({
    islands: { find: () => undefined },
    agents: { whenThere: () => Promise.resolve(undefined), wasThere: () => false },
    admissions: {
      entrantsAt: () => Promise.resolve('everybody'),
      stillEntrants: (_islandKey, _ip, entrants) => Promise.resolve(entrants),
    },
    activeOf: (userKeys) => Promise.resolve(userKeys),
    whenCurrent: () => Promise.resolve(),
    transfers: new Transfers(),
    counts: new RelayCounts(),
    exempt: new BlockList(),
    onFailure: (error) => expect.unreachable(String(error)),
    ...options,
  })
  const server = createServer((socket) => visitors.take(1, socket)).listen(0, '127.0.0.1')
  onTestFinished(() => {
    visitors.stop()
    server.close()
  })
  await once(server, 'listening')
  const visit = (from: string) => visitPortAt(portOfServer(server), { from })
  return { visitors, visit }
}

/** The same with an agent that does this with each stream. */
async function setUpAgent(
  onOpen: (stream: FrameStream) => void,
  checks?: ConstructorParameters<typeof Transfers>[0],
) {
  const [wire, agentWire] = await socketPair()
  const session = new FrameSession(wire, { onEnd: () => undefined })
  const agentSession = new FrameSession(agentWire, { onOpen, onEnd: () => undefined })
  onTestFinished(() => agentSession.end())
  const agent: ReachableAgent = {
    get isOpen() {
      return !session.hasEnded
    },
    open: (kind) => session.open(kind),
    kept: new KeptStreams(),
    withService: () => expect.unreachable(),
  }
  const counts = new RelayCounts()
  const transfers = new Transfers(checks)
  const bare = await setUpBare({
    islands: { find: () => testIsland },
    agents: { whenThere: () => Promise.resolve(agent), wasThere: () => true },
    counts,
    transfers,
  })
  return { ...bare, session, counts, transfers, visitor: bare.visit('127.0.0.7') }
}

test('bytes go both ways, and either side may end before the other', async () => {
  const { port } = await setUp()
  const visitor = visitPort(port)
  await visitor.hears('hello')
  visitor.socket.write('what I say')
  await visitor.hears('what I say')
  visitor.socket.end(' last')
  await visitor.hears('last')
  expect(await visitor.ended).toBe('end')

  const { promise, resolve } = Promise.withResolvers<string>()
  const { port: other } = await setUp({
    service: {
      onTcp: (stream) => {
        stream.end('bye')
        let received = ''
        stream.setEncoding('utf8').on('data', (text: string) => (received += text))
        stream.on('end', () => resolve(received))
      },
    },
  })
  const late = visitPort(other)
  await late.hears('bye')
  expect(await late.ended).toBe('end')
  late.socket.end('still here')
  expect(await promise).toBe('still here')
})

test('a real agent carries megabytes from a real service completely', async () => {
  const echoing = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    socket.pipe(socket)
  })
  echoing.listen(0, '127.0.0.1')
  await once(echoing, 'listening')
  onTestFinished(() => void echoing.close())
  const { host, url, island, token } = await shareRelayApp(withPorts)
  const port = await takeTestPort(host, island.id)
  const tokenFile = join(await makeTempDir(), 'token')
  await writeFile(tokenFile, token, { mode: 0o600 })
  const agentFile = fileURLToPath(
    import.meta.resolve('../../../../../../packages/agent/src/agent.mjs'),
  )
  const service = `127.0.0.1:${portOfServer(echoing)}`
  const args = ['--server', url, '--token-file', tokenFile, '--tcp', service]
  const agent = spawn(process.execPath, [agentFile, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void agent.kill('SIGKILL'))
  for await (const line of agent.stdout.setEncoding('utf8')) {
    if (String(line).includes('connected')) break
  }

  const sent = noise(4 * 1024 * 1024).toString('base64')
  const visitor = visitPort(port)
  visitor.socket.end(sent)
  expect(await visitor.ended).toBe('end')
  expect(visitor.heard() === sent).toBe(true)
})

test('R36 S56 a members’ island lets a network in once a member has opened the island’s page', async () => {
  const opening = createRelayApp(alone)
  for (const access of ['members', 'invited'] as const) {
    const { port, clock, makeMember } = await setUp({ access, opening })
    expect(await visitPort(port, { from: '127.0.0.7' }).ended).toBe('reset')
    const { opened } = await makeMember('127.0.0.7')
    const until = new Date(clock.now() + 12 * hourMs).toISOString()
    expect(opened?.letIn).toEqual({ network: '127.0.0.7', until })
    await visitPort(port, { from: '127.0.0.7' }).hears('hello')
    expect(await visitPort(port, { from: '127.0.0.8' }).ended).toBe('reset')

    clock.move(12 * hourMs)
    expect(await visitPort(port, { from: '127.0.0.7' }).ended).toBe('reset')
  }
})

test('R36 a user who may not enter lets no network in, signed in or not', async () => {
  const { port, island, signUp, inject } = await setUp({ access: 'invited' })
  const from = { remoteAddress: '127.0.0.7' }
  const stranger = await signUp()
  expect(await openTestPort(stranger, island.id, from)).toBeUndefined()
  expect(await openTestPort({ inject }, island.id, from)).toBeUndefined()
  expect(await visitPort(port, { from: '127.0.0.7' }).ended).toBe('reset')
})

test('R36 nobody is let in if storage can’t say who may enter', async () => {
  const { visit } = await setUpBare({
    whenCurrent: () => Promise.reject(new StorageUnavailable('unavailable')),
  })
  expect(await visit('127.0.0.7').ended).toBe('reset')
})

test.each<{
  readonly what: string
  readonly access: AccessPolicy
  readonly take: (
    app: Awaited<ReturnType<typeof setUp>>,
    member: { readonly username: string },
  ) => Promise<unknown>
}>([
  {
    what: 'its door is closed to them',
    access: 'members',
    take: ({ host, island }) =>
      host.inject({
        method: 'POST',
        url: `/api/islands/${island.id}/publish`,
        payload: { access: 'invited', isListed: false },
      }),
  },
  {
    what: 'a public door is closed',
    access: 'public',
    take: ({ host, island }) =>
      host.inject({
        method: 'POST',
        url: `/api/islands/${island.id}/publish`,
        payload: { access: 'invited', isListed: false },
      }),
  },
  {
    what: 'they are no members any more',
    access: 'invited',
    take: ({ host, island }, { username }) =>
      host.inject({ method: 'DELETE', url: `/api/islands/${island.id}/members/${username}` }),
  },
  {
    what: 'they are blocked',
    access: 'members',
    take: ({ host, island }, { username }) =>
      host.inject({ method: 'POST', url: `/api/islands/${island.id}/blocks/${username}` }),
  },
  {
    what: 'their account is turned off',
    access: 'members',
    take: async (app, { username }) =>
      (await operatorOf(app)).inject({
        method: 'POST',
        url: `/api/operator/users/${username}/disable`,
      }),
  },
  {
    what: 'an operator hides it',
    access: 'public',
    take: async (app) =>
      (await operatorOf(app)).inject({
        method: 'POST',
        url: `/api/operator/hidden/island/${app.island.id}`,
        payload: { reason: 'spam' },
      }),
  },
  {
    what: 'its host pauses it',
    access: 'public',
    take: ({ host, island }) =>
      host.inject({ method: 'POST', url: `/api/islands/${island.id}/pause`, payload: {} }),
  },
  {
    what: 'it is reached otherwise',
    access: 'public',
    take: ({ host, island }) =>
      host.inject({
        method: 'PATCH',
        url: `/api/islands/${island.id}`,
        payload: { address: 'https://bar.example/' },
      }),
  },
  {
    what: 'its port is given back',
    access: 'public',
    take: ({ host, island }) =>
      host.inject({ method: 'DELETE', url: `/api/islands/${island.id}/port` }),
  },
  {
    what: 'it is deleted',
    access: 'public',
    take: ({ host, island }) =>
      host.inject({
        method: 'POST',
        url: `/api/islands/${island.id}/close`,
        payload: { slug: island.slug },
      }),
  },
  {
    what: 'its agent’s token is revoked',
    access: 'public',
    take: ({ host, tokenId }) =>
      host.inject({ method: 'DELETE', url: `/api/devices/tokens/${tokenId}` }),
  },
])('R38 S57 connections end within a second once $what', async ({ access, take }) => {
  const app = await setUp({ access })
  const member = await app.makeMember('127.0.0.7')
  const visitor = visitPort(app.port, { from: '127.0.0.7' })
  await visitor.hears('hello')
  const answer = await take(app, member)
  expect(answer).toMatchObject({ statusCode: expect.toBeOneOf([200, 204]) })
  await vi.waitFor(() => expect(visitor.socket.destroyed).toBe(true), soon)
  expect(await visitPort(app.port, { from: '127.0.0.7' }).ended).toBe('reset')
})

test('R38 connections that a change does not concern stay', async () => {
  const app = await setUp({ access: 'invited' })
  await app.makeMember('127.0.0.7')
  const other = await app.makeMember('127.0.0.8')
  const [stays, goes] = ['127.0.0.7', '127.0.0.8'].map((from) => visitPort(app.port, { from }))
  await Promise.all([stays?.hears('hello'), goes?.hears('hello')])
  const url = `/api/islands/${app.island.id}/members/${other.username}`
  await app.host.inject({ method: 'DELETE', url })
  expect(await goes?.ended).toBe('reset')
  stays?.socket.write('still here')
  await stays?.hears('still here')
})

test('R38 a connection that is let in while accounts are checked stays', async () => {
  const answered = Promise.withResolvers<readonly number[]>()
  const lateEntrants = Promise.withResolvers<readonly number[]>()
  const { visitors, visit } = await setUpBare({
    admissions: {
      entrantsAt: (_islandKey, ip) =>
        ip.endsWith('127.0.0.8') ? lateEntrants.promise : Promise.resolve([7]),
      stillEntrants: (_islandKey, _ip, entrants) => Promise.resolve(entrants),
    },
    activeOf: () => answered.promise,
  })
  const [inside, late] = ['127.0.0.7', '127.0.0.8'].map(visit)
  await vi.waitFor(() => expect(visitors.count()).toBe(2), inTime)
  const checked = visitors.endInactive()
  lateEntrants.resolve([8])
  await setImmediate()
  answered.resolve([])
  await checked
  expect(await inside?.ended).toBe('reset')
  expect(late?.socket.destroyed).toBe(false)
  expect(visitors.count()).toBe(1)
})

test('R39 an island has at most 256 connections at a time, and an address 64', async () => {
  const { port, makeMember } = await setUp({
    access: 'members',
    opening: createRelayApp(alone),
  })
  const ofOne = async (from: string, count: number) => {
    await makeMember(from)
    const visitors = Array.from({ length: count }, () => visitPort(port, { from }))
    await Promise.all(visitors.map(({ hears }) => hears('hello')))
    return visitors
  }
  const [first] = await ofOne('127.0.0.20', portConnectionsPerAddress)
  expect(await visitPort(port, { from: '127.0.0.20' }).ended).toBe('reset')
  const others = portConnectionsPerIsland / portConnectionsPerAddress - 1
  for (let at = 1; at <= others; at += 1)
    await ofOne(`127.0.0.${20 + at}`, portConnectionsPerAddress)
  await makeMember('127.0.0.30')
  expect(await visitPort(port, { from: '127.0.0.30' }).ended).toBe('reset')
  first?.socket.destroy()
  await vi.waitFor(() => visitPort(port, { from: '127.0.0.30' }).hears('hello'), { timeout: 5000 })
})

test('R39 an island without an agent, or with one that serves no TCP, keeps nobody waiting', async () => {
  const { port, agent, clock } = await setUp({
    service: { onStream: (stream) => stream.reset('no-tcp') },
  })
  expect(await visitPort(port).ended).toBe('reset')
  agent.cut()
  await agent.closed
  clock.move(60_000)
  expect(await visitPort(port).ended).toBe('reset')
})

test.each([
  ['no-tcp', 'refused'],
  ['timeout', 'timeout'],
  ['reset', 'broken'],
  ['', 'broken'],
  // Sent by the server to which the agent is connected.
  ['busy', 'busy'],
  ['gone', 'agent-gone'],
] as const)('an agent’s report “%s” counts as %s', async (word, refusal) => {
  const { visitor, counts } = await setUpAgent((stream) => stream.reset(word))
  expect(await visitor.ended).toBe('reset')
  expect([...counts.refused]).toEqual([[refusal, 1]])
})

test('R39 an agent that disconnects midway resets its visitors, and counts only if nothing was open', async () => {
  const midway = await setUpAgent((stream) => {
    stream.accept()
    stream.write('half')
  })
  await midway.visitor.hears('half')
  midway.session.end()
  expect(await midway.visitor.ended).toBe('reset')
  expect([...midway.counts.refused]).toEqual([])

  const before = await setUpAgent(() => before.session.end())
  expect(await before.visitor.ended).toBe('reset')
  expect([...before.counts.refused]).toEqual([['agent-gone', 1]])
})

test('R39 an agent that never says whether the service accepts is given up; an idle connection is not', async () => {
  const checks = { checkMs: 20, stuckChecks: 3 }
  const resting = await setUpAgent((stream) => {
    stream.accept()
    stream.write('hello')
  }, checks)
  await resting.visitor.hears('hello')
  const silent = await setUpAgent(() => undefined, checks)
  expect(await silent.visitor.ended).toBe('reset')
  await vi.waitFor(() => expect(silent.transfers.count).toBe(0), soon)
  expect(resting.transfers.count).toBe(1)
  expect(resting.visitor.socket.destroyed).toBe(false)
})

test('R39 a visitor who reads nothing is cut in the end, never served half as if it were all', async () => {
  const { visitor, transfers } = await setUpAgent(
    (stream) => {
      stream.accept()
      stream.end(noise(32 * 1024 * 1024))
    },
    { checkMs: 20, stuckChecks: 3 },
  )
  visitor.socket.pause()
  await vi.waitFor(() => expect(transfers.count).toBe(1), inTime)
  await vi.waitFor(() => expect(transfers.count).toBe(0), inTime)
  visitor.socket.resume()
  expect(await visitor.ended).toBe('reset')
})
