import { expect, test, vi } from 'vitest'
import { connectAgent } from '../test/relay-agent.ts'
import { askIsland, makeServedIsland } from '../test/relay-app.ts'
import { startCluster } from './testing/test-cluster.ts'
import { inTime } from '../test/in-time.ts'

vi.setConfig({ testTimeout: 60_000 })

/** What an operator stops is stopped on every server within this. */
const soon = { timeout: 1000, interval: 20 }

/** Two servers, of which the second one has the agent of an island, and an operator. */
async function setUp() {
  const { servers } = await startCluster(2, {
    operators: new Set(['ada']),
    relayDomain: 'localhost',
  })
  const [leader, other] = servers
  if (leader === undefined || other === undefined) throw new Error('two servers')
  const ada = await leader.signUp('ada')
  const host = await leader.signUp('host')
  const { island, slug, token } = await makeServedIsland(host)
  const visit = async () => (await askIsland(other.url, slug)).statusCode
  await vi.waitFor(async () => expect(await visit()).toBe(503), inTime)
  const agent = await connectAgent(other.url, token)
  await vi.waitFor(async () => expect(await visit()).toBe(200), inTime)
  const operate = async (path: string, reason?: string) => {
    const answer = await ada.inject({
      method: 'POST',
      url: `/api/operator/${path}`,
      ...(reason !== undefined && { payload: { reason } }),
    })
    expect(answer.statusCode).toBe(200)
  }
  const paths = { island: `islands/${island.id}`, user: `users/${host.username}` }
  return { other, operate, paths, visit, agent, token }
}

test.each([
  ['an island', 'island'],
  ['a user', 'user'],
] as const)(
  'R30 S57 an operator who stops the relay of %s on one server ends it on another within a second',
  async (_, what) => {
    const { other, operate, paths, visit, agent, token } = await setUp()
    let isClosed = false
    void agent.closed.then(() => (isClosed = true))
    await operate(`${paths[what]}/stop-relay`, 'Phishing.')
    await vi.waitFor(async () => {
      expect([await visit(), isClosed]).toEqual([403, true])
    }, soon)
    await operate(`${paths[what]}/start-relay`)
    await vi.waitFor(() => connectAgent(other.url, token), soon)
    await vi.waitFor(async () => expect(await visit()).toBe(200), inTime)
  },
)
