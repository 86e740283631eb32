import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { listAllIslands } from '@astropelago/contract/operator-islands'
import * as v from 'valibot'
import { publishTestIsland, viewIsland } from '../../test/api-islands.ts'
import { operatorOf, operatorOptions } from '../../test/operator-app.ts'
import { AgentRefused, connectAgent, type OnRequest } from '../../test/relay-agent.ts'
import { shareRelayApp } from '../../test/relay-app.ts'
import { acceptWebSocket, opensPage, visitorOf } from '../../test/relay-visitor.ts'

/** Answers at once, except `/slow`, which stays open. */
const onRequest: OnRequest = (request, response) => {
  if (request.url === '/slow') response.write('begun')
  else response.end('hello')
}

async function setUp() {
  const relay = await shareRelayApp(operatorOptions, { isHostTrusted: false })
  const { host, island, url, token } = relay
  const operator = await operatorOf(relay)
  const agent = await connectAgent(url, token, { onRequest, onUpgrade: acceptWebSocket })
  await expect.poll(async () => (await relay.visit()).status).toBe(200)
  const operate = async (path: string, reason?: string) => {
    const answer = await operator.inject({
      method: 'POST',
      url: `/api/operator/${path}`,
      ...(reason !== undefined && { payload: { reason } }),
    })
    expect(answer.statusCode).toBe(200)
    return answer.json<Record<string, unknown>>()
  }
  const paths = { island: `islands/${island.id}`, user: `users/${host.username}` }
  return { ...relay, operator, agent, operate, paths }
}

const ending = (answer: IncomingMessage) =>
  new Promise((resolve) => answer.on('error', () => undefined).once('close', resolve))

const refusalOf = async (connecting: Promise<unknown>) => {
  const error: unknown = await connecting.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AgentRefused)) throw new Error('the agent was taken', { cause: error })
  return { status: error.status, body: error.body }
}

test.each([
  ['an island', 'island'],
  ['a user', 'user'],
] as const)(
  'R30 S57 once an operator stops the relay of %s, requests, WebSockets and its agent end within a second',
  async (_, what) => {
    const { operate, paths, agent, begin, visit, port, hostName, url, token } = await setUp()
    const slow = await begin({ path: '/slow' })
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host: hostName } })
    onTestFinished(() => socket.terminate())
    await once(socket, 'open')
    const ends = [
      ending(slow),
      new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve)),
      agent.closed,
    ]
    const startedMs = performance.now()
    await operate(`${paths[what]}/stop-relay`, 'Phishing.')
    await Promise.all(ends)
    expect(performance.now() - startedMs).toBeLessThan(1000)
    expect(slow.complete).toBe(false)
    expect((await visit()).status).toBe(403)
    expect((await refusalOf(connectAgent(url, token))).status).toBe(503)

    await operate(`${paths[what]}/start-relay`)
    await expect.poll(() => connectAgent(url, token)).toBeDefined()
    await expect.poll(async () => (await visit()).status).toBe(200)
  },
)

test('R30 stopping one island leaves the others of its agent as they are', async () => {
  const { operate, paths, agent, host, device, begin, visit } = await setUp()
  const { slug } = await publishTestIsland(
    host,
    { access: 'public', isListed: false },
    { address: null, isRelayed: true, carrier: device.id },
  )
  const second = () => visit({ host: `${slug}.localhost` })
  await expect.poll(async () => (await second()).status).toBe(200)
  const ended = ending(await begin({ path: '/slow' }))
  const other = await begin({ path: '/slow', host: `${slug}.localhost` })
  await operate(`${paths.island}/stop-relay`, 'Phishing.')
  await ended
  expect((await visit()).status).toBe(403)
  expect((await second()).status).toBe(200)
  expect(other.destroyed).toBe(false)
  expect(agent.wire.destroyed).toBe(false)
})

test('R30 S57 visitors with a grant have to leave too, even if the agent stays for another island', async () => {
  const relay = await setUp()
  const { operate, host, device, agent, begin, port, signUp } = relay
  const members = await publishTestIsland(
    host,
    { access: 'members', isListed: false },
    { address: null, isRelayed: true, carrier: device.id },
  )
  const guest = visitorOf(relay, members.slug, await signUp())
  await expect.poll(async () => (await guest.open('/')).status).toBe(302)
  await guest.enter()
  await operate(`users/${host.username}/trust`)
  const headers = { ...opensPage, cookie: guest.cookie() }
  const slow = await begin({ path: '/slow', host: `${members.slug}.localhost:${port}`, headers })
  expect(slow.statusCode).toBe(200)
  const startedMs = performance.now()
  const ended = ending(slow)
  await operate(`islands/${members.id}/stop-relay`, 'Phishing.')
  await ended
  expect(performance.now() - startedMs).toBeLessThan(1000)
  expect(slow.complete).toBe(false)
  expect(agent.wire.destroyed).toBe(false)
})

test('R31 only the host reads the reason; visitors and agents read that it was taken down', async () => {
  const { operate, paths, host, slug, signUp, visit, url, token, clock } = await setUp()
  await operate(`${paths.user}/stop-relay`, 'All of them.')
  const at = new Date(clock.now()).toISOString()
  const ofHost = { at, reason: 'All of them.', ofHost: true }
  expect(await viewIsland(host, slug)).toMatchObject({ relayStopped: ofHost, isOpen: false })
  await operate(`${paths.island}/stop-relay`, 'Phishing.')
  const ofIsland = { at, reason: 'Phishing.', ofHost: false }
  expect(await viewIsland(host, slug)).toMatchObject({ relayStopped: ofIsland })
  const own = await host.inject({ url: '/api/me/islands' })
  expect(own.json()).toMatchObject([{ relayStopped: ofIsland }])

  const stranger = await signUp()
  expect(await viewIsland(stranger, slug)).toMatchObject({ relayStopped: null, isOpen: false })
  const page = await visit({ headers: { accept: 'text/html' } })
  expect(page.body).toContain('was taken down')
  expect(page.body).not.toContain('Phishing')
  const { status, body } = await refusalOf(connectAgent(url, token))
  expect([status, JSON.parse(body)]).toEqual([
    503,
    expect.objectContaining({ code: 'relay_stopped' }),
  ])
  expect(body).not.toContain('Phishing')

  // The decision about the host still applies.
  await operate(`${paths.island}/start-relay`)
  await expect.poll(() => viewIsland(host, slug)).toMatchObject({ relayStopped: ofHost })
  expect((await visit()).status).toBe(403)
})

test('R31 S59 operators’ lists and the audit log show each switch with its first time', async () => {
  const { operate, paths, operator, host, island, clock } = await setUp()
  const at = new Date(clock.now()).toISOString()
  const stopped = { at, reason: 'Phishing.' }
  expect(await operate(`${paths.user}/trust`)).toMatchObject({ trustedAt: at, relayStopped: null })
  await operate(`${paths.island}/stop-relay`, 'At first.')
  clock.move(60_000)
  expect(await operate(`${paths.user}/trust`)).toMatchObject({ trustedAt: at })
  expect(await operate(`${paths.island}/stop-relay`, 'Phishing.')).toMatchObject({
    isRelayed: true,
    relayStopped: stopped,
  })
  const listed = await operator.inject({ url: '/api/operator/islands' })
  const { islands } = v.parse(listAllIslands.answers[200], listed.json())
  expect(islands.filter((one) => one.host === host.username)).toMatchObject([
    { id: island.id, relayStopped: stopped },
  ])
  await operate(`${paths.user}/stop-relay`, 'All of them.')
  await operate(`${paths.user}/start-relay`)
  expect(await operate(`${paths.user}/distrust`)).toMatchObject({ trustedAt: null })
  const log = await operator.inject({ url: '/api/operator/audit?actor=operator:Captain' })
  const { entries } = log.json<{ entries: Record<string, unknown>[] }>()
  const user = `user:${host.username}`
  const own = entries.filter(({ subject }) => subject === user || subject === `island:${island.id}`)
  expect(own.map(({ action, subject, details }) => [action, subject, details])).toEqual([
    ['host.distrusted', user, null],
    ['relay.started', user, null],
    ['relay.stopped', user, { reason: 'All of them.' }],
    ['relay.stopped', `island:${island.id}`, { reason: 'Phishing.' }],
    ['host.trusted', user, null],
    ['relay.stopped', `island:${island.id}`, { reason: 'At first.' }],
    ['host.trusted', user, null],
  ])
})

test('R31 only what exists can be stopped, and only with a reason', async () => {
  const { operator, paths } = await setUp()
  const post = async (path: string, payload?: object) => {
    const url = `/api/operator/${path}`
    const sent = payload === undefined ? { url } : { url, payload }
    return (await operator.inject({ method: 'POST', ...sent })).statusCode
  }
  const payload = { reason: 'Gone' }
  expect(await post(`islands/${crypto.randomUUID()}/stop-relay`, payload)).toBe(404)
  expect(await post(`islands/${crypto.randomUUID()}/start-relay`)).toBe(404)
  for (const path of ['start-relay', 'trust', 'distrust']) {
    expect(await post(`users/nobody/${path}`)).toBe(404)
  }
  expect(await post('users/nobody/stop-relay', payload)).toBe(404)
  for (const reason of ['', ' ', 'x'.repeat(501)]) {
    expect(await post(`${paths.island}/stop-relay`, { reason })).toBe(400)
    expect(await post(`${paths.user}/stop-relay`, { reason })).toBe(400)
  }
})
