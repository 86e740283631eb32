import type { InjectOptions } from 'fastify'
import { expect, test, vi } from 'vitest'
import { viewIsland } from '../test/api-islands.ts'
import { connectAgent } from '../test/relay-agent.ts'
import { makeServedIsland } from '../test/relay-app.ts'
import { startCluster } from './testing/test-cluster.ts'

vi.setConfig({ testTimeout: 60_000 })

test('an island opens and closes on every server when its agent is on a follower', async () => {
  const { servers } = await startCluster(2)
  const [leader, other] = servers
  if (leader === undefined || other === undefined) throw new Error('There are two')
  const host = await leader.signUp()
  const { slug, token } = await makeServedIsland(host)
  // Its host alone is told at once since when that is so.
  const views = servers.map(({ inject }) => ({
    inject: (request: InjectOptions) => inject({ ...request, cookies: host.cookies }),
  }))
  const seen = () => Promise.all(views.map(async (view) => await viewIsland(view, slug)))
  const expectOpen = async (isOpen: boolean, timeout: number) => {
    await vi.waitFor(
      async () => {
        const [here, there] = await seen()
        expect(here).toMatchObject({ isOpen, since: expect.any(String) })
        expect(there).toMatchObject({ isOpen, since: here?.since })
      },
      { timeout, interval: 50 },
    )
  }
  const agent = await vi.waitFor(() => connectAgent(other.url, token), { timeout: 5000 })
  await expectOpen(true, 15_000)
  agent.cut()
  await expectOpen(false, 20_000)
})

test('an island closes while the server that its agent is connected to is silent', async () => {
  const { servers } = await startCluster(2)
  const [leader, other] = servers
  if (leader === undefined || other === undefined) throw new Error('There are two')
  const { slug, token } = await makeServedIsland(await leader.signUp())
  await vi.waitFor(() => connectAgent(other.url, token), { timeout: 5000 })
  const isOpen = async () => (await viewIsland(leader, slug))?.isOpen
  await expect.poll(isOpen, { timeout: 15_000 }).toBe(true)
  other.proxy.cut()
  await expect.poll(isOpen, { timeout: 25_000 }).toBe(false)
  other.proxy.mend()
  await expect.poll(isOpen, { timeout: 15_000 }).toBe(true)
})
