import type { IslandCard } from '@astropelago/contract/islands'
import { expect, test } from 'vitest'
import { createTestToken, sendHeartbeat } from '../../../test/api-devices.ts'
import { publishTestIsland } from '../../../test/api-islands.ts'
import { createTestApp } from '../../../test/create-test-app.ts'
import { connectAgent } from '../../../test/relay-agent.ts'
import { shareRelayApp } from '../../../test/relay-app.ts'
import { readStream } from '../../streams/testing/read-stream.ts'
import { createOpeningsApp, openingOf } from '../testing/openings-app.ts'
import { inTime } from '../../../test/in-time.ts'

const graceMs = 10_000
const startGraceMs = 40_000

test('a relayed island is open to everybody while an agent carries it and for 10 s afterwards', async () => {
  const app = await createOpeningsApp(shareRelayApp)
  const { url, token, island, slug, clock, opening, becomes, now, inject, visit, leave } = app
  const front = await readStream(url, `/api/islands/${island.id}/stream`)
  const feed = await readStream(url, '/api/devices/stream')
  const listed = async () => {
    const answer = await inject({ url: '/api/islands' })
    const { islands } = answer.json<{ islands: IslandCard[] }>()
    return islands.find((card) => card.slug === slug)
  }
  const page = async () => (await visit({ headers: { accept: 'text/html' } })).body
  expect(await opening()).toEqual({ isOpen: false, since: null })
  await app.known()
  const opened = { isOpen: true, since: now() }
  const agent = await connectAgent(url, token)
  await becomes(true)
  expect(await opening()).toEqual(opened)
  expect(await listed()).toMatchObject(opened)

  clock.move(5000)
  const closed = { isOpen: false, since: now() }
  await leave(agent)
  expect(await page()).toContain('lost its connection')
  expect(await opening()).toEqual(opened)
  clock.move(graceMs)
  await becomes(false)
  expect(await opening()).toEqual(closed)
  expect(await listed()).toMatchObject(closed)
  expect(await page()).toContain(closed.since)
  await expect
    .poll(() => front.messages, inTime)
    .toEqual([
      { type: 'island-open', payload: expect.objectContaining(opened) },
      { type: 'island-open', payload: expect.objectContaining(closed) },
    ])
  const published = () => feed.messages.findLast(({ type }) => type === 'island')?.payload
  await expect.poll(published, inTime).toMatchObject({ id: island.id, ...closed })
})

test('neither heartbeats nor another island’s agent open a relayed island', async () => {
  const app = await createOpeningsApp(shareRelayApp)
  const { url, token, host, device, opening } = app
  const other = await publishTestIsland(
    host,
    { access: 'public', isListed: false },
    { address: null, isRelayed: true, carrier: device.id },
  )
  await connectAgent(url, token, { island: other.slug })
  const reporting = await createTestToken(host, device.id)
  await sendHeartbeat(app, reporting.token)
  await expect.poll(async () => (await openingOf(app, other.slug)).isOpen, inTime).toBe(true)
  expect(await opening()).toEqual({ isOpen: false, since: null })
})

test('an island that switches to a link and back to the relay starts anew', async () => {
  const { url, token, host, island, opening, becomes } = await createOpeningsApp(shareRelayApp)
  await connectAgent(url, token)
  await becomes(true)
  const change = (payload: object) =>
    host.inject({ method: 'PATCH', url: `/api/islands/${island.id}`, payload })
  await change({ address: 'https://b.example/' })
  await change({ isRelayed: true, address: null })
  expect(await opening()).toEqual({ isOpen: false, since: null })
  await connectAgent(url, token)
  await becomes(true)
})

test('a restart gives agents time to return, and changes nothing for those that do', async () => {
  const relay = await createOpeningsApp()
  const { app, url, token, clock, storage, slug, island, becomes, opening, now } = relay
  await relay.known()
  await connectAgent(url, token)
  await becomes(true)
  const before = await opening()
  await app.close()

  clock.move(60_000)
  const second = await createTestApp({ storage, clock })
  const address = await second.app.listen({ host: '127.0.0.1', port: 0 })
  const front = await readStream(address, `/api/islands/${island.id}/stream`)
  expect(await openingOf(second, slug)).toEqual(before)
  clock.move(startGraceMs - 1)
  await connectAgent(address, token)
  const visited = async () => (await openingOf(second, slug)).isOpen
  expect(await visited()).toBe(true)
  clock.move(1)
  expect(await openingOf(second, slug)).toEqual(before)
  expect(front.messages).toEqual([])
  await second.app.close()

  clock.move(60_000)
  const closed = { isOpen: false, since: now() }
  const third = await createTestApp({ storage, clock })
  expect(await openingOf(third, slug)).toEqual(before)
  clock.move(startGraceMs)
  await expect.poll(() => openingOf(third, slug), inTime).toEqual(closed)
})

test('without RELAY_DOMAIN a relayed island closes at once', async () => {
  const { app, url, token, clock, storage, slug, becomes } = await createOpeningsApp()
  await connectAgent(url, token)
  await becomes(true)
  await app.close()
  const without = await createTestApp({ storage, clock, config: { relayDomain: undefined } })
  await expect.poll(async () => (await openingOf(without, slug)).isOpen, inTime).toBe(false)
})
