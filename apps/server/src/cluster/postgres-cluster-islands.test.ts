import { expect, onTestFinished, test, vi } from 'vitest'
import { readStream } from '../features/streams/testing/read-stream.ts'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../test/api-devices.ts'
import { publishTestIsland } from '../test/api-islands.ts'
import type { TestBrowser } from '../test/create-test-app.ts'
import { followFeed } from './testing/feed-follower.ts'
import { startCluster, type TestServer } from './testing/test-cluster.ts'
import { inTime } from '../test/in-time.ts'

vi.setConfig({ testTimeout: 60_000 })

/** What is acknowledged holds everywhere within this. */
const soon = { timeout: 1000, interval: 20 }
const listed = { access: 'public', isListed: true } as const

function callsOf({ inject }: TestServer, { cookies, username }: TestBrowser): TestBrowser {
  return { username, cookies, inject: (request) => inject({ ...request, cookies }) }
}

async function slugsOf({ inject }: TestServer): Promise<readonly string[]> {
  const answer = await inject({ url: '/api/islands' })
  return answer.json<{ islands: { slug: string }[] }>().islands.map(({ slug }) => slug)
}

/** Two servers, a host signed in by the first, and an island that a device carries. */
async function setUp() {
  const { servers } = await startCluster(2)
  const [leader, other] = servers
  if (leader === undefined || other === undefined) throw new Error('two servers')
  const host = await leader.signUp()
  const device = await registerTestDevice(host)
  const { token } = await createTestToken(host, device.id)
  const island = await publishTestIsland(host, listed, { carrier: device.id })
  await vi.waitFor(async () => expect(await slugsOf(other)).toContain(island.slug), inTime)
  return { leader, other, host, away: callsOf(other, host), device, token, island }
}

test('an island that opens on one server is open on another within a second', async () => {
  const { leader, other, host, token, island } = await setUp()
  const follower = followFeed(() => other.url)
  onTestFinished(() => follower.stop())
  await vi.waitFor(() => expect(follower.loads()).toBe(1), inTime)
  const front = await readStream(other.url, `/api/islands/${island.id}/stream`)
  const own = await readStream(other.url, '/api/me/stream', host)

  await sendHeartbeat(leader, token)
  const opened = { type: 'island-open', payload: expect.objectContaining({ isOpen: true }) }
  await vi.waitFor(() => {
    expect(front.messages).toContainEqual(opened)
    expect(own.messages).toContainEqual(opened)
    expect(follower.islands().get(island.id)?.isOpen).toBe(true)
  }, soon)
})

test('R56 an island paused on one server is paused on another within a second, and its pause ends there too', async () => {
  const { other, host, leader, token, island } = await setUp()
  await sendHeartbeat(leader, token)
  const openOnes = async () => {
    const answer = await other.inject({ url: '/api/islands?state=open' })
    return answer.json<{ islands: { slug: string }[] }>().islands.map(({ slug }) => slug)
  }
  await vi.waitFor(async () => expect(await openOnes()).toContain(island.slug), inTime)
  const until = new Date(Date.now() + 3000).toISOString()
  const url = `/api/islands/${island.id}/pause`
  expect((await host.inject({ method: 'POST', url, payload: { until } })).statusCode).toBe(200)
  await vi.waitFor(async () => expect(await openOnes()).not.toContain(island.slug), soon)
  await vi.waitFor(async () => expect(await openOnes()).toContain(island.slug), inTime)
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until))
})

test('S57 an island unlisted on one server is gone from another within a second and never published later', async () => {
  const { leader, other, host, away, island } = await setUp()
  const follower = followFeed(() => leader.url)
  onTestFinished(() => follower.stop())
  await vi.waitFor(() => expect(follower.loads()).toBe(1), inTime)
  await host.inject({
    method: 'PATCH',
    url: `/api/islands/${island.id}`,
    payload: { tagline: 'To be taken back' },
  })
  await vi.waitFor(() => expect(follower.islands().has(island.id)).toBe(true), inTime)
  const [since] = follower.sequences()
  const stranger = await readStream(leader.url, `/api/islands/${island.id}/stream`)

  const url = `/api/islands/${island.id}/publish`
  const hidden = { access: 'invited', isListed: false }
  expect((await away.inject({ method: 'POST', url, payload: hidden })).statusCode).toBe(200)
  await vi.waitFor(async () => {
    expect(await slugsOf(leader)).not.toContain(island.slug)
    expect(stranger.types()).toEqual(['island-gone'])
    expect(follower.islands().has(island.id)).toBe(false)
  }, soon)
  for (const { url: server } of [leader, other]) {
    const late = await readStream(server, `/api/devices/stream?since=${since}`)
    await vi.waitFor(() => expect(late.types()).toContain('island-removed'), inTime)
    expect(JSON.stringify(late.messages)).not.toContain('To be taken back')
  }
})
