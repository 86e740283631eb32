import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../test/api-devices.ts'
import type { TestBrowser } from '../test/create-test-app.ts'
import { followFeed } from './testing/feed-follower.ts'
import { startCluster, type TestServer } from './testing/test-cluster.ts'
import { inTime } from '../test/in-time.ts'

vi.setConfig({ testTimeout: 60_000 })

/** What an operator takes away is gone on every server within this. */
const soon = { timeout: 1000, interval: 20 }

/** Two servers, a user of each, with a device that both know, and an operator. */
async function setUp() {
  const { servers } = await startCluster(2, { operators: new Set(['ada']) })
  const [leader, other] = servers
  if (leader === undefined || other === undefined) throw new Error('two servers')
  const ada = await leader.signUp('ada')
  const nova = await leader.signUp('nova')
  const kept = await registerTestDevice(await other.signUp('carl'))
  const { id } = await registerTestDevice(nova)
  const { token } = await createTestToken(nova, id)
  const followers = [leader, other].map(({ url }) => {
    const follower = followFeed(() => url)
    onTestFinished(() => follower.stop())
    return follower
  })
  const expectPublic = async (ids: readonly string[], within: typeof soon) => {
    await vi.waitFor(() => {
      for (const { devices } of followers) {
        expect([...devices().keys()].toSorted()).toEqual([...ids].toSorted())
      }
    }, within)
  }
  await expectPublic([id, kept.id], inTime)
  const answersOf = async (server: TestServer) => ({
    heartbeat: await sendHeartbeat(server, token),
    device: (await server.inject({ url: `/api/devices/${id}` })).statusCode,
    me: (await server.inject({ url: '/api/me', cookies: nova.cookies })).statusCode,
  })
  const operate = async (server: TestServer, method: 'POST' | 'DELETE', path: string) => {
    const { cookies }: TestBrowser = ada
    const answer = await server.inject({ method, url: `/api/operator/users/${path}`, cookies })
    expect(answer.statusCode).toBe(200)
  }
  return { leader, other, id, kept, expectPublic, answersOf, operate }
}

test.each([
  ['the leader', 0],
  ['another server', 1],
])(
  'S57 a user whom %s turned off is out of the memory of both within a second, and on again too',
  async (_, by) => {
    const { leader, other, id, kept, expectPublic, answersOf, operate } = await setUp()
    const [server, away] = by === 0 ? [leader, other] : [other, leader]
    for (const one of [server, away]) {
      expect(await answersOf(one)).toEqual({ heartbeat: 204, device: 200, me: 200 })
    }
    await operate(server, 'POST', 'nova/disable')
    const gone = { heartbeat: 401, device: 404, me: 401 }
    expect(await answersOf(server)).toEqual(gone)
    await vi.waitFor(async () => expect(await answersOf(away)).toEqual(gone), soon)
    await expectPublic([kept.id], soon)

    await operate(away, 'POST', 'nova/enable')
    const back = { heartbeat: 204, device: 200, me: 401 }
    await vi.waitFor(async () => expect(await answersOf(server)).toEqual(back), soon)
    await expectPublic([id, kept.id], soon)
  },
)

test('S57 a deleted user leaves the memory of both servers within a second', async () => {
  const { leader, other, kept, expectPublic, answersOf, operate } = await setUp()
  await operate(other, 'DELETE', 'nova')
  const gone = { heartbeat: 401, device: 404, me: 401 }
  expect(await answersOf(other)).toEqual(gone)
  await vi.waitFor(async () => expect(await answersOf(leader)).toEqual(gone), soon)
  await expectPublic([kept.id], soon)
})
