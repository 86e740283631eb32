import { once } from 'node:events'
import { IslandDomain } from '@astropelago/contract/island-domain'
import * as v from 'valibot'
import { expect, test, vi } from 'vitest'
import { openDnsServer } from '../features/relay/domains/testing/dns-server.ts'
import { beginVisit, visit } from '../features/relay/instances/testing/relay-cluster.ts'
import { inTime } from '../test/in-time.ts'
import { connectAgent } from '../test/relay-agent.ts'
import { makeServedIsland } from '../test/relay-app.ts'
import { startCluster } from './testing/test-cluster.ts'

vi.setConfig({ testTimeout: 60_000 })

const name = 'bar.example'
const soon = { timeout: 1000, interval: 20 }

test('R57 R59 S57 a proof on one server lets visitors in on another, and its end puts them out', async () => {
  const { zone, address } = await openDnsServer()
  const config = { relayDomain: 'localhost', relayDnsServers: [address] }
  const { servers } = await startCluster(2, config)
  const [leader, other] = servers
  if (leader === undefined || other === undefined) throw new Error('two servers')
  const host = await leader.signUp('host')
  const { island, slug, token } = await makeServedIsland(host)
  const seen = async () => (await visit(other.url, name)).status
  await vi.waitFor(
    async () => expect((await visit(other.url, `${slug}.localhost`)).status).toBe(503),
    inTime,
  )
  await connectAgent(other.url, token, {
    onRequest: ({ url }, response) => {
      response.flushHeaders()
      if (url === '/') response.end('hello')
    },
  })
  const url = `/api/islands/${island.id}/domain`
  const claimed = await host.inject({ method: 'POST', url, payload: { name, isInLogs: true } })
  const { domain } = v.parse(v.object({ domain: IslandDomain }), claimed.json())
  zone.txt.set(domain.records.proof.name, [domain.records.proof.value])
  const unknown = await seen()
  expect(unknown).not.toBe(200)
  expect((await host.inject({ method: 'POST', url: `${url}/check` })).statusCode).toBe(200)
  await vi.waitFor(async () => expect(await seen()).toBe(200), soon)
  expect((await visit(other.url, `${slug}.localhost`)).status).toBe(307)

  const endless = await beginVisit(other.url, name, { path: '/endless' })
  const cut = once(endless.resume(), 'error')
  expect((await host.inject({ method: 'DELETE', url })).statusCode).toBe(204)
  const removedMs = performance.now()
  await cut
  await vi.waitFor(async () => expect(await seen()).toBe(unknown), soon)
  expect(performance.now() - removedMs).toBeLessThan(1000)
})
