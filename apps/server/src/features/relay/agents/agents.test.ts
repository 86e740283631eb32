import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openCuttableProxy } from '../../../test/cuttable-proxy.ts'
import { listen, portOf } from '../../../test/listen.ts'
import { FrameReader, frameTypes } from '../frames/frames.ts'
import { FrameSession } from '../frames/frame-session.ts'
import { RelayCounts } from '../relay-counts.ts'
import type { ServedIsland } from '../served-islands.ts'
import { testIsland as island } from '../testing/test-island.ts'
import { forwardRequest } from '../visitors/forward-request.ts'
import { Transfers } from '../visitors/transfers.ts'
import { stateTexts } from '../visitors/visitor-states.ts'
import { createAgents } from './agents.ts'
import { carriedIslands } from './agents-routes.ts'

const patience = { pingMs: 400, silentMs: 1200 }

/** An agent on a connection that can fall silent, and a visitor whose request has reached the service. */
async function setUp() {
  const pingsMs: number[] = []
  const asked = Promise.withResolvers<void>()
  const service = createTcpServer((socket) => {
    const session = new FrameSession(socket, {
      onOpen: () => asked.resolve(),
      onEnd: () => undefined,
    })
    const reader = new FrameReader(
      () => undefined,
      (type) => {
        if (type === frameTypes.ping) pingsMs.push(performance.now())
      },
    )
    onTestFinished(() => session.end())
    socket.on('data', (chunk: Buffer) => reader.read(chunk))
  })
  await listen(service)
  const proxy = await openCuttableProxy(portOf(service))
  const agents = createAgents({
    islands: { carriedBy: () => [island] },
    clock: () => performance.now(),
    isTokenHeld: () => true,
    onAlive: () => undefined,
    aliveMs: 60_000,
    patience,
  })
  const caller = { deviceKey: 1, tokenKey: 1 }
  const identity = {
    agentId: randomUUID(),
    islandKey: null,
    caller,
    service: { origin: null, host: null },
  }
  const wire = connect(proxy.port, '127.0.0.1')
  await once(wire, 'connect')
  agents.add(wire, identity)
  await expect.poll(() => agents.isThere(island)).toBe(true)

  const transfers = new Transfers()
  const site = createServer((visit, response) => {
    const agent = agents.find(island)
    if (agent === undefined) throw new Error('no agent')
    forwardRequest({
      request: visit,
      response,
      agent,
      islandKey: island.key,
      network: '203.0.113.7',
      isByGrant: false,
      headers: [],
      asked: {
        scheme: 'http',
        authority: 'harbor.localhost',
        path: '/',
        address: '203.0.113.7',
      },
      transfers,
      counts: new RelayCounts(),
      answerState: (state) => response.writeHead(stateTexts[state].status).end(),
      onAnswer: () => undefined,
      retry: () => undefined,
      isRetry: false,
    })
  })
  const visitor = request(await listen(site)).end()
  const answered = new Promise<IncomingMessage>((resolve) => visitor.on('response', resolve))
  await asked.promise
  onTestFinished(() => {
    transfers.stop()
    visitor.destroy()
    for (const server of [service, site]) server.close()
    return agents.stop()
  })
  return { agents, proxy, wire, answered, pingsMs }
}

test('[A4] a silent agent and its visitors are dropped a fixed time after its last answer', async () => {
  const { agents, proxy, wire, answered, pingsMs } = await setUp()
  // Longer than `silentMs`, which does not pass while the agent answers.
  await expect.poll(() => pingsMs.length, { timeout: 10_000 }).toBe(5)
  expect(agents.isThere(island)).toBe(true)
  // Let the last answer arrive.
  await new Promise((resolve) => setImmediate(resolve))
  proxy.stall()
  await once(wire, 'close')
  const silentMs = performance.now() - (pingsMs.at(-1) ?? 0)
  expect(silentMs).toBeLessThan(patience.silentMs + patience.pingMs)
  expect(agents.isThere(island)).toBe(false)
  expect((await answered).statusCode).toBe(503)
})

test('an island that the server learns of just after its agent connects is carried', async () => {
  let cached: ServedIsland[] = []
  const carried = carriedIslands({ carriedBy: () => cached }, 1, 'Harbor')
  cached = [{ ...island, slug: 'another' }, island]
  expect(await carried).toEqual([island])
})

test('an agent may name an island by its id, which no new slug changes', async () => {
  const named = { ...island, id: 'one' }
  const carriedBy = () => [{ ...island, id: 'two', slug: 'another' }, named]
  expect(await carriedIslands({ carriedBy }, 1, 'One')).toEqual([named])
})

test('an agent without an island is refused within a second or two', async () => {
  await expect(carriedIslands({ carriedBy: () => [island] }, 1, 'another')).rejects.toThrow(
    'no_relayed_island',
  )
})
