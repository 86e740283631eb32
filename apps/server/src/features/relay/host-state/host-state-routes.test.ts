import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http'
import {
  addressOfSlug,
  checkFromOutside,
  getRelay,
  getRelayedState,
} from '@astropelago/contract/island-relay'
import { pauseIsland, updateIsland } from '@astropelago/contract/islands'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { publishTestIsland } from '../../../test/api-islands.ts'
import {
  createTestApp,
  type TestAppOptions,
  type TestBrowser,
} from '../../../test/create-test-app.ts'
import { listen, portOf } from '../../../test/listen.ts'
import { connectAgent } from '../../../test/relay-agent.ts'
import { createRelayApp, shareRelayApp } from '../../../test/relay-app.ts'
import type { FrameStream } from '../frames/frame-stream.ts'
import { Transfers } from '../visitors/transfers.ts'

const path = ({ path: of }: { readonly path: string }, id: string) => of.replace(':id', id)

async function stateOf({ inject }: TestBrowser, id: string) {
  const response = await inject({ url: path(getRelayedState, id) })
  return v.parse(getRelayedState.answers[200], response.json())
}

const check = ({ inject }: Pick<TestBrowser, 'inject'>, id: string) =>
  inject({ method: 'POST', url: path(checkFromOutside, id) })

async function resultOf(host: TestBrowser, id: string) {
  return v.parse(checkFromOutside.answers[200], (await check(host, id)).json()).result
}

/** A service that answers, or whose agent reports why it does not, as `service.says` sets. */
function homeService() {
  const asked: string[] = []
  const service = { says: 'ok' }
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`)
    if (service.says === 'ok') response.end()
  })
  const onStream = (stream: FrameStream) => {
    if (service.says === 'ok' || service.says === 'nothing') {
      stream.accept()
      server.emit('connection', stream)
    } else {
      asked.push(service.says)
      stream.reset(service.says)
    }
  }
  return { service, asked, onStream }
}

let front: RequestListener | undefined
const proxy = createServer((asked, response) => front?.(asked, response))
let behindProxy: TestAppOptions = {}
beforeAll(async () => {
  await listen(proxy)
  behindProxy = { config: { publicUrl: `http://localhost:${portOf(proxy)}` } }
})
afterAll(() => {
  proxy.closeAllConnections()
  proxy.close()
})

/** Has something else stand in front of the server. */
function stand(listener: RequestListener): void {
  front = listener
}

/** The server behind a proxy at its public address, whose handler the test sets. */
async function setUp(opening = shareRelayApp(behindProxy)) {
  const relay = await opening
  const passOn: RequestListener = ({ url, method, headers }, response) => {
    request({ host: '127.0.0.1', port: relay.port, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    }).end()
  }
  stand(passOn)
  const { url, token, island } = relay
  const service = homeService()
  return {
    ...relay,
    ...service,
    id: island.id,
    connect: async () => {
      const agent = await connectAgent(url, token, {
        onStream: service.onStream,
        headers: { 'astropelago-agent-service': 'http://localhost:8080' },
      })
      await expect
        .poll(async () => (await stateOf(relay.host, island.id)).condition.state)
        .not.toBe('gone')
      return agent
    },
  }
}

test('signed-in users learn where islands are; without a relay there is no address', async () => {
  const { signUp } = await createTestApp()
  const { addresses } = v.parse(
    getRelay.answers[200],
    (await (await signUp()).inject({ url: getRelay.path })).json(),
  )
  expect(addressOfSlug(addresses ?? '', 'harbor')).toBe('http://harbor.localhost:3000/')
  const without = await createTestApp({ config: { relayDomain: undefined } })
  const user = await without.signUp()
  expect((await user.inject({ url: getRelay.path })).json()).toEqual({ addresses: null })
})

test('only the host sees the state of a relayed island', async () => {
  const { host, signUp, inject, id } = await setUp()
  const stranger = await signUp()
  const link = await publishTestIsland(host, { access: 'public', isListed: true })
  expect((await host.inject({ url: path(getRelayedState, id) })).statusCode).toBe(200)
  for (const [browser, islandId, status] of [
    [stranger, id, 404],
    [{ inject }, id, 401],
    [host, link.id, 404],
    [host, crypto.randomUUID(), 404],
  ] as const) {
    expect((await browser.inject({ url: path(getRelayedState, islandId) })).statusCode).toBe(status)
    expect((await check(browser, islandId)).statusCode).toBe(status)
  }
  await host.inject({
    method: 'PATCH',
    url: path(updateIsland, id),
    payload: { isRelayed: false, carrier: null },
  })
  expect((await host.inject({ url: path(getRelayedState, id) })).statusCode).toBe(404)
})

test('the host sees whether an agent is connected, and since when it is gone', async () => {
  const { host, id, connect, clock } = await setUp()
  expect((await stateOf(host, id)).condition).toEqual({ state: 'gone', since: null })
  const agent = await connect()
  expect((await stateOf(host, id)).condition).toEqual({ state: 'carried' })
  agent.cut()
  await agent.closed
  const since = new Date(clock.now()).toISOString()
  await expect
    .poll(async () => (await stateOf(host, id)).condition)
    .toEqual({ state: 'gone', since })
})

test('a pause does not count as a lost agent', async () => {
  const { host, id } = await setUp()
  const paused = await host.inject({
    method: 'POST',
    url: path(pauseIsland, id),
    payload: { text: 'Moving house.' },
  })
  expect(paused.statusCode).toBe(200)
  expect((await stateOf(host, id)).condition).toEqual({ state: 'gone', since: null })
})

test('of two agents of a device that carry an island each, one that goes closes only its own', async () => {
  const { host, id, device, slug, url, token, visit, clock } = await setUp()
  const other = await publishTestIsland(
    host,
    { access: 'public', isListed: false },
    { address: null, isRelayed: true, carrier: device.id },
  )
  const now = () => new Date(clock.now()).toISOString()
  const becomes = async (of: string, condition: object) => {
    await expect.poll(async () => (await stateOf(host, of)).condition).toEqual(condition)
  }
  const { onStream } = homeService()
  const [first, second] = [
    await connectAgent(url, token, { island: slug, onStream }),
    await connectAgent(url, token, { island: other.slug, onStream }),
  ]
  await becomes(id, { state: 'carried' })
  await becomes(other.id, { state: 'carried' })

  const gone = { state: 'gone', since: now() }
  first.cut()
  await becomes(id, gone)
  // A visitor waits for the agent to return.
  const visiting = visit()
  const back = await connectAgent(url, token, { island: slug, id: first.id, onStream })
  expect((await visiting).status).toBe(200)
  await becomes(id, { state: 'carried' })
  back.cut()
  await becomes(id, gone)

  clock.move(60_000)
  const later = { state: 'gone', since: now() }
  second.cut()
  await becomes(other.id, later)
  expect((await stateOf(host, id)).condition).toEqual(gone)
})

test('the host sees what visitors met: when the service last failed, and why', async () => {
  const { host, id, connect, service, visit, clock } = await setUp()
  await connect()
  for (const [says, why] of [
    ['refused', 'refused'],
    ['timeout', 'timeout'],
    ['reset', 'broken'],
  ] as const) {
    service.says = says
    await visit()
    const since = new Date(clock.now()).toISOString()
    expect((await stateOf(host, id)).condition).toEqual({
      state: 'failing',
      why,
      since,
      service: 'http://localhost:8080',
    })
    clock.move(1000)
  }
  service.says = 'ok'
  await visit()
  const { condition, visits } = await stateOf(host, id)
  expect(condition).toEqual({ state: 'carried' })
  expect(visits.count).toBe(4)
})

test('a visitor who stops mid-request says nothing about the service', async () => {
  const begin = vi.spyOn(Transfers.prototype, 'begin')
  onTestFinished(() => begin.mockRestore())
  const { host, id, connect, service, hostName, port, asked } = await setUp()
  await connect()
  const postHalf = () => {
    const headers = { host: hostName, 'content-length': '10' }
    const sent = request({ host: '127.0.0.1', port, method: 'POST', agent: false, headers })
    onTestFinished(() => void sent.destroy())
    sent.on('error', () => undefined).write('half')
    return new Promise<IncomingMessage>((resolve) => sent.on('response', resolve))
  }
  service.says = 'nothing'
  const before = asked.length
  const answering = postHalf()
  await expect.poll(() => asked.length).toBe(before + 1)
  begin.mock.lastCall?.[0].cut('stuck')
  expect((await answering).statusCode).toBe(408)
  expect((await stateOf(host, id)).condition).toEqual({ state: 'carried' })
})

test('the service that an agent reports is shown only if it is an origin', async () => {
  const { url, token, host, id, clock } = await setUp()
  const { onStream, service } = homeService()
  service.says = 'refused'
  for (const [reported, shown] of [
    ['http://192.168.1.20:3000', 'http://192.168.1.20:3000'],
    ['https://[::1]:8443', 'https://[::1]:8443'],
    ['localhost:8080', null],
    ['http://a b', null],
    ['http://x/path', null],
    [`http://${'x'.repeat(300)}`, null],
  ] as const) {
    const headers = { 'astropelago-agent-service': reported }
    const agent = await connectAgent(url, token, { headers, onStream })
    clock.move(60_000)
    await expect
      .poll(async () => (await stateOf(host, id)).condition)
      .toMatchObject({ state: 'failing', service: shown })
    agent.cut()
    await expect.poll(async () => (await stateOf(host, id)).condition.state).toBe('gone')
  }
})

test('a host learns the state without a visitor, and the service is asked no more often than needed', async () => {
  const { host, id, connect, service, asked, clock } = await setUp()
  service.says = 'refused'
  await connect()
  expect((await stateOf(host, id)).condition).toMatchObject({ state: 'failing', why: 'refused' })
  await Promise.all(Array.from({ length: 5 }, () => stateOf(host, id)))
  expect(asked).toEqual(['refused'])
  service.says = 'ok'
  clock.move(3000)
  expect((await stateOf(host, id)).condition).toEqual({ state: 'carried' })
  clock.move(59_000)
  await stateOf(host, id)
  expect(asked).toHaveLength(2)
  clock.move(1000)
  await Promise.all([stateOf(host, id), stateOf(host, id)])
  expect(asked).toEqual(['refused', 'HEAD /', 'HEAD /'])
  expect((await stateOf(host, id)).visits.count).toBe(0)
})

test('a service that does not answer keeps no host waiting for its state', async () => {
  const { host, id, connect, service, asked, clock } = await setUp()
  const agent = await connect()
  expect(asked).toHaveLength(1)
  clock.move(60_000)
  service.says = 'nothing'
  for (let asks = 0; asks < 3; asks += 1) {
    expect((await stateOf(host, id)).condition).toEqual({ state: 'carried' })
  }
  expect(asked).toHaveLength(2)
  agent.cut()
})

test('a check from outside opens the address through DNS and any proxy, and its result is kept', async () => {
  const { host, id, connect, clock } = await setUp()
  await connect()
  expect((await stateOf(host, id)).outside).toBeNull()
  expect(await resultOf(host, id)).toBe('opened')
  const at = new Date(clock.now()).toISOString()
  expect((await stateOf(host, id)).outside).toEqual({ result: 'opened', at })
  // At its new address it has not been opened yet.
  await host.inject({
    method: 'POST',
    url: `/api/islands/${id}/slug`,
    payload: { slug: 'elsewhere-now' },
  })
  expect((await stateOf(host, id)).outside).toBeNull()
})

test('a check from outside reports the first obstacle', async () => {
  const { host, id, connect, service } = await setUp()
  // A visitor would get this far, but no agent is connected.
  expect(await resultOf(host, id)).toBe('no-agent')
  const agent = await connect()
  service.says = 'refused'
  expect(await resultOf(host, id)).toBe('refused')
  stand((_, response) => response.end('Welcome to nginx!'))
  expect(await resultOf(host, id)).toBe('another-server')
  stand(({ socket }) => socket.destroy())
  expect(await resultOf(host, id)).toBe('unreachable')
  agent.cut()
})

test('R50 checks are shared while one runs, and limited per hour', async () => {
  const { host, id, signUp } = await setUp(createRelayApp(behindProxy))
  let fronted = 0
  const held = Promise.withResolvers<void>()
  stand((_, response) => {
    fronted += 1
    void held.promise.then(() => response.end())
  })
  const both = Promise.all([resultOf(host, id), resultOf(host, id)])
  await expect.poll(() => fronted).toBe(1)
  held.resolve()
  expect(await both).toEqual(['another-server', 'another-server'])
  expect(fronted).toBe(1)
  stand((_, response) => response.end())
  for (let more = 2; more < 60; more += 1) await resultOf(host, id)
  const refused = await check(host, id)
  expect(refused.statusCode).toBe(429)
  expect(fronted).toBe(1)
  expect((await check(await signUp(), id)).statusCode).toBe(404)
})

test('each name below the relay’s domain proves the installation without revealing whether an island exists', async () => {
  const { visit, hostName, port } = await setUp()
  const nonce = 'a'.repeat(32)
  const proof = (host: string, of = nonce) => visit({ host, path: `/.astropelago/proof/${of}` })
  const [island, nobody] = [await proof(hostName), await proof(`nobody.localhost:${port}`)]
  expect([island.status, nobody.status]).toEqual([200, 200])
  expect(Object.keys(island.headers)).toEqual(Object.keys(nobody.headers))
  expect(island.body).toMatch(/^[\da-f]{64}$/)
  expect(island.body).not.toBe(nobody.body)
  for (const of of ['', 'a', `${nonce}a`, `${nonce}/`, nonce.toUpperCase()]) {
    expect((await proof(`nobody.localhost:${port}`, of)).status).toBe(404)
  }
  expect((await proof('localhost')).body).not.toMatch(/^[\da-f]{64}$/)
})
