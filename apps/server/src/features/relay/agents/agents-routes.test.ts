import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { ErrorBody } from '@astropelago/contract/error-body'
import { agentsPerDevice } from '@astropelago/contract/limits'
import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { createTestToken, listOwnDevices, registerTestDevice } from '../../../test/api-devices.ts'
import { publishTestIsland, viewIsland } from '../../../test/api-islands.ts'
import { createTestApp } from '../../../test/create-test-app.ts'
import {
  AgentRefused,
  connectAgent,
  connectAgentByWebSocket,
  type OnRequest,
} from '../../../test/relay-agent.ts'
import { createRelayApp, shareRelayApp } from '../../../test/relay-app.ts'
import { frameHead, frameTypes } from '../frames/frames.ts'

/** How an agent is refused. */
async function refusalOf(connecting: Promise<unknown>) {
  try {
    await connecting
  } catch (error) {
    if (error instanceof AgentRefused) {
      return { status: error.status, code: v.parse(ErrorBody, JSON.parse(error.body)).code }
    }
    throw error
  }
  throw new Error('it was taken')
}

/** Sends an endless answer. */
const endless: OnRequest = (_request, response) => {
  const write = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536)));
  }
  response.on('drain', write)
  write()
}

const saying = (what: string) => ({
  onRequest: (_request: unknown, response: ServerResponse) => void response.end(what),
})

test('an agent carries visitors as soon as it connects, and counts as a heartbeat of its device', async () => {
  const { url, token, visit, host, slug, inject } = await shareRelayApp()
  expect((await visit()).status).toBe(503)
  await connectAgent(url, token)
  await expect.poll(async () => (await visit()).body).toBe('hello')
  await expect.poll(async () => (await listOwnDevices(host))[0]?.status).toBe('online')
  await expect.poll(() => viewIsland({ inject }, slug)).toMatchObject({ isOpen: true })
})

test('[A2] an agent works over a WebSocket where a proxy lets nothing else through', async () => {
  const { url, token, visit } = await shareRelayApp()
  const large = 'x'.repeat(3_000_000)
  await connectAgentByWebSocket(url, token, saying(large))
  await expect.poll(async () => (await visit()).body.length).toBe(large.length)
})

test('[A1] an agent of the first protocol learns that it needs another one', async () => {
  const { url, token, visit } = await shareRelayApp()
  const refused = connectAgent(url, token, { headers: { upgrade: 'astropelago-relay/1' } })
  expect(await refusalOf(refused)).toEqual({ status: 426, code: 'upgrade_required' })
  expect((await visit()).status).toBe(503)
})

test('[A1] the 101 has the islands and the hash of the server’s own agent', async () => {
  const { url, token, slug, inject } = await shareRelayApp()
  const { headers } = await connectAgent(url, token)
  expect(headers['astropelago-island']).toBe(slug)
  const { rawPayload } = await inject({ url: '/agent.mjs' })
  const sha256 = createHash('sha256').update(rawPayload).digest('hex')
  expect(headers['astropelago-agent-hash']).toBe(sha256)
  const overWebSocket = await connectAgentByWebSocket(url, token)
  expect(overWebSocket.headers).toMatchObject({
    'astropelago-island': slug,
    'astropelago-agent-hash': sha256,
  })
})

test('a connection that only checks the way is answered and pinged, and carries nobody', async () => {
  const { url, token, visit, inject, slug } = await shareRelayApp()
  const agent = await connectAgent(url, token, { headers: { 'astropelago-agent-check': '1' } })
  expect(agent.headers['astropelago-island']).toBe(slug)
  const [ping]: Buffer[] = await once(agent.wire, 'data')
  expect(ping?.subarray(0, 8)).toEqual(frameHead(frameTypes.ping, 0, 8))
  expect((await visit()).status).toBe(503)
  expect(await viewIsland({ inject }, slug)).toMatchObject({ isOpen: false })
  expect(agent.wire.destroyed).toBe(false)
})

test('a stopping server ends connections that only check the way', async () => {
  const { app, url, token } = await createRelayApp()
  const agent = await connectAgent(url, token, { headers: { 'astropelago-agent-check': '1' } })
  const startedMs = performance.now()
  await app.close()
  await agent.closed
  expect(performance.now() - startedMs).toBeLessThan(2000)
})

test('S21 a reporting token connects no agent, and neither does an unknown one', async () => {
  const { url, device, host, app } = await shareRelayApp()
  const { token } = await createTestToken(host, device.id)
  const wrong = { status: 403, code: 'token_scope' }
  expect(await refusalOf(connectAgent(url, token))).toEqual(wrong)
  const bad = { status: 401, code: 'invalid_token' }
  expect(await refusalOf(connectAgent(url, `apd_${'x'.repeat(43)}`))).toEqual(bad)
  const { statusCode, headers } = await app.inject({ url: '/api/relay/connect' })
  expect([statusCode, headers['www-authenticate']]).toEqual([401, 'Bearer'])
})

test('a request without an upgrade learns whether it would be accepted, and for which islands', async () => {
  const { inject, token, slug } = await shareRelayApp()
  const headers = { authorization: `Bearer ${token}` }
  const answer = await inject({ url: '/api/relay/connect', headers })
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([
    426,
    'upgrade_required',
  ])
  expect(answer.headers['astropelago-island']).toBe(slug)
})

test('R3 an agent without an id, or one that connects too often, is refused', async () => {
  const { url, token } = await createRelayApp()
  const nameless = connectAgent(url, token, { id: 'me' })
  expect(await refusalOf(nameless)).toEqual({ status: 400, code: 'invalid_input' })
  const attempts = Array.from({ length: 121 }, () => connectAgent(url, token, { island: 'none' }))
  const refusals = await Promise.all(attempts.map(refusalOf))
  expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['no_relayed_island']))
  const id = randomUUID()
  for (let times = 0; times < 120; times += 1) await connectAgent(url, token, { id })
  expect(await refusalOf(connectAgent(url, token, { id }))).toEqual({
    status: 429,
    code: 'rate_limited',
  })
})

test('an agent carries all islands of its device or the one it names, and no others', async () => {
  const { url, token, host, device, slug, visit, signUp } = await shareRelayApp()
  const second = await publishTestIsland(
    host,
    { access: 'public', isListed: false },
    { address: null, isRelayed: true, carrier: device.id },
  )
  const at = async (island: string) => (await visit({ host: `${island}.localhost` })).body
  const one = await connectAgent(url, token, {
    island: second.slug.toUpperCase(),
    ...saying('second'),
  })
  expect(one.headers['astropelago-island']).toBe(second.slug)
  await expect.poll(() => at(second.slug)).toBe('second')
  expect(await at(slug)).not.toBe('second')
  one.cut()
  await one.closed
  const all = await connectAgent(url, token, { ...saying('both') })
  expect(new Set(String(all.headers['astropelago-island']).split(', '))).toEqual(
    new Set([slug, second.slug]),
  )
  await expect.poll(() => at(second.slug)).toBe('both')
  expect(await at(slug)).toBe('both')
  // The agent stays connected for the other island.
  const url2 = `/api/islands/${second.id}`
  await host.inject({ method: 'PATCH', url: url2, payload: { address: 'https://b.example/' } })
  expect(await at(second.slug)).not.toBe('both')
  expect(await at(slug)).toBe('both')

  const stranger = await signUp()
  const { id: theirDevice } = await registerTestDevice(stranger)
  const { token: theirs } = await createTestToken(stranger, theirDevice, undefined, 'relay')
  const none = { status: 403, code: 'no_relayed_island' }
  expect(await refusalOf(connectAgent(url, theirs, { island: slug }))).toEqual(none)
})

test('two agents of one device that each name an island by id report two services', async () => {
  const { url, token, host, device, island, slug, visit } = await shareRelayApp()
  const second = await publishTestIsland(
    host,
    { access: 'public', isListed: false },
    { address: null, isRelayed: true, carrier: device.id },
  )
  const at = async (one: string) => (await visit({ host: `${one}.localhost` })).body
  await connectAgent(url, token, { island: island.id, ...saying('first') })
  await expect.poll(() => at(slug)).toBe('first')
  expect((await visit({ host: `${second.slug}.localhost` })).status).toBe(503)
  await connectAgent(url, token, { island: second.id, ...saying('second') })
  await expect.poll(() => at(second.slug)).toBe('second')
  expect([await at(slug), await at(slug)]).toEqual(['first', 'first'])
})

test('a visitor waits for an agent that is gone for a moment, even if its device has another', async () => {
  const { url, token, host, device, island, visit } = await shareRelayApp()
  const second = await publishTestIsland(
    host,
    { access: 'public', isListed: false },
    { address: null, isRelayed: true, carrier: device.id },
  )
  const first = await connectAgent(url, token, { island: island.id })
  await connectAgent(url, token, { island: second.id, ...saying('second') })
  await expect.poll(async () => (await visit()).status).toBe(200)
  first.cut()
  await first.closed
  const waiting = visit()
  await connectAgent(url, token, { island: island.id, id: first.id, ...saying('back') })
  expect((await waiting).body).toBe('back')
})

test('a server without a relay refuses agents with its own code', async () => {
  const { inject, signUp } = await createTestApp({ config: { relayDomain: undefined } })
  const host = await signUp()
  const { id } = await registerTestDevice(host)
  const made = await createTestToken(host, id, undefined, 'relay')
  const headers = { authorization: `Bearer ${made.token}` }
  const answer = await inject({ url: '/api/relay/connect', headers })
  expect(answer.json()).toMatchObject({ code: 'relay_off' })
})

test('[A6] a new connection of the same agent takes over at once; another agent shares the load', async () => {
  const { url, token, begin, visit } = await shareRelayApp()
  const first = await connectAgent(url, token, { ...saying('first') })
  await expect.poll(async () => (await visit()).body).toBe('first')
  await connectAgent(url, token, { id: first.id, ...saying('second') })
  await first.closed
  expect(first.away()).toBe('taken over')
  expect((await visit()).body).toBe('second')
  const other = await connectAgent(url, token, {
    onRequest: (_request, response) => response.writeHead(201).flushHeaders(),
  })
  // The less busy agent is next. One answer of the other never ends.
  const asked = async () => (await begin()).statusCode
  await expect.poll(asked).toBe(201)
  expect([await asked(), await asked()]).toEqual([200, 200])
  other.cut()
  await other.closed
  expect((await visit()).body).toBe('second')
})

test.each([
  [
    'its token is revoked',
    ({ host, tokenId }: Awaited<ReturnType<typeof shareRelayApp>>) =>
      host.inject({ method: 'DELETE', url: `/api/devices/tokens/${tokenId}` }),
  ],
  [
    'its device is deleted',
    ({ host, device }) => host.inject({ method: 'DELETE', url: `/api/devices/${device.id}` }),
  ],
  [
    'its island has a link of its own',
    ({ host, island }) =>
      host.inject({
        method: 'PATCH',
        url: `/api/islands/${island.id}`,
        payload: { address: 'https://b.example/' },
      }),
  ],
  [
    'its island is closed for good',
    ({ host, island, slug }) =>
      host.inject({
        method: 'POST',
        url: `/api/islands/${island.id}/close`,
        payload: { slug },
      }),
  ],
])('R3 S57 an agent’s connection ends within a second once %s', async (_, end) => {
  const relay = await shareRelayApp()
  const { url, token, visit } = relay
  const agent = await connectAgent(url, token)
  await expect.poll(async () => (await visit()).status).toBe(200)
  const startedMs = performance.now()
  expect((await end(relay)).statusCode).toBeLessThan(300)
  await agent.closed
  expect(performance.now() - startedMs).toBeLessThan(1000)
  expect((await visit()).status).not.toBe(200)
})

test('R3 renewing all tokens ends the agents that hold the old ones', async () => {
  const { url, token, host, visit } = await shareRelayApp()
  const agent = await connectAgent(url, token)
  await expect.poll(async () => (await visit()).status).toBe(200)
  await host.inject({ method: 'POST', url: '/api/me/devices/tokens/renew' })
  await agent.closed
  expect((await refusalOf(connectAgent(url, token))).status).toBe(401)
})

test('R3 a client that sends no frames after its upgrade is disconnected and carries nobody', async () => {
  const { port, token, visit } = await shareRelayApp()
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(
    [
      'GET /api/relay/connect HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${token}`,
      `Astropelago-Agent: ${randomUUID()}`,
      'Connection: Upgrade',
      'Upgrade: astropelago-relay/2',
      '',
      'nonsense that is no frame, and long enough to be read as the head of one',
    ].join('\r\n'),
  )
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
  expect((await visit()).status).toBe(503)
})

test('R3 a device may have as many agents as its host may have islands', async () => {
  const { url, token } = await shareRelayApp()
  for (let count = 0; count < agentsPerDevice; count += 1) await connectAgent(url, token)
  expect(await refusalOf(connectAgent(url, token))).toMatchObject({ code: 'rate_limited' })
})

test('[A5] a stopping server tells its agents, finishes open requests and takes no new ones', async () => {
  const { app, url, token, begin, visit } = await createRelayApp()
  const answers: (() => void)[] = []
  const agent = await connectAgent(url, token, {
    onRequest: (_request, response) => {
      response.write('a')
      answers.push(() => response.end('b'))
    },
  })
  const answer = await begin()
  const closed = app.close()
  await expect.poll(agent.away).toBe('')
  for (const end of answers) end()
  let body = ''
  for await (const chunk of answer) body += String(chunk)
  expect(body).toBe('ab')
  await closed
  await agent.closed
  await expect(visit()).rejects.toThrow('ECONNREFUSED')
})

test('an agent whose WebSocket is cut mid-stream again and again harms nobody', async () => {
  const { url, token, begin, visit } = await shareRelayApp()
  for (let times = 0; times < 10; times += 1) {
    const agent = await connectAgentByWebSocket(url, token, { onRequest: endless })
    await expect.poll(async () => (await begin()).statusCode).toBe(200)
    const answer = await begin()
    answer.resume()
    const cut = new Promise((resolve) => answer.once('error', resolve))
    agent.cut()
    await cut
  }
  await connectAgent(url, token)
  await expect.poll(async () => (await visit()).body).toBe('hello')
})
