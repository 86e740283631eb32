import { expect, test, vi } from 'vitest'
import { makeTestCheck, recordFound } from '../test/api-checks.ts'
import { publishTestIsland, viewIsland } from '../test/api-islands.ts'
import { startCluster } from './testing/test-cluster.ts'

vi.setConfig({ testTimeout: 60_000 })

test('an island opens and closes on every server when one of them records what its check finds', async () => {
  const { servers } = await startCluster(2)
  const [leader, other] = servers
  if (leader === undefined || other === undefined) throw new Error('There are two')
  const host = await leader.signUp()
  const island = await publishTestIsland(host, { access: 'public', isListed: true })
  const target = { kind: 'push', periodS: 86_400 }
  const { id } = await makeTestCheck(host, { target, island: island.id })
  const expectOpen = async (isOpen: boolean) => {
    for (const server of servers) {
      const directory = async () => {
        const url = '/api/islands?state=open'
        const { islands } = (await server.inject({ url })).json<{ islands: { id: string }[] }>()
        return islands.length === 1
      }
      await expect.poll(directory, { timeout: 5000 }).toBe(isOpen)
      expect(await viewIsland(server, island.slug)).toMatchObject({ isOpen, isWatched: true })
    }
  }
  await recordFound(other.storage, id, { kind: 'down', atMs: other.clock.now() })
  await expectOpen(false)
  await recordFound(leader.storage, id, { kind: 'up', atMs: leader.clock.now() })
  await expectOpen(true)
})
