import { expect, test, vi } from 'vitest'
import type { TestBrowser } from '../test/create-test-app.ts'
import { openTestDatabase } from '../test/open-test-storage.ts'
import { connectAgent } from '../test/relay-agent.ts'
import { makeServedIsland } from '../test/relay-app.ts'
import { echoTcp, onePort, openTestPort, takeTestPort, visitPort } from '../test/relay-ports.ts'
import { startServer, type TestServer } from './testing/test-cluster.ts'

vi.setConfig({ testTimeout: 60_000 })

/** What is acknowledged holds everywhere within a second, on a machine that is not busy. An address has few tries. */
const soon = { timeout: 5000, interval: 100 }

function callsOf({ inject }: TestServer, { cookies, username }: TestBrowser): TestBrowser {
  return { username, cookies, inject: (request) => inject({ ...request, cookies }) }
}

/** Two servers, each with an address of its own, and an island whose agent the second one has. */
async function setUp() {
  const databaseUrl = await openTestDatabase()
  const { first, last } = await onePort()
  const [one, other] = [
    await startServer(databaseUrl, { relayPorts: { host: '127.0.0.1', first, last } }),
    await startServer(databaseUrl, { relayPorts: { host: '127.0.0.2', first, last } }),
  ]
  const host = await one.signUp()
  const { island, token } = await makeServedIsland(host, { access: 'members' })
  await vi.waitFor(() => connectAgent(other.url, token, { onStream: echoTcp }), soon)
  return { one, other, host, island, there: { host: '127.0.0.2' } }
}

test('R35 S57 a port given out by one server opens and closes on another within a second', async () => {
  const { one, other, host, island, there } = await setUp()
  const port = await takeTestPort(host, island.id)
  const member = await one.signUp()
  // On one server the page is opened, to the other one the game connects.
  await openTestPort(member, island.id, { remoteAddress: '127.0.0.7' })
  const from = { ...there, from: '127.0.0.7' }
  await vi.waitFor(() => visitPort(port, from).hears('hello'), soon)
  expect(await openTestPort(callsOf(other, host), island.id)).toMatchObject({
    own: { isListening: true },
  })

  await host.inject({ method: 'DELETE', url: `/api/islands/${island.id}/port` })
  await vi.waitFor(async () => expect(await visitPort(port, from).ended).toBe('reset'), soon)
})

test('R38 S57 access withdrawn on one server ends port connections on another within a second', async () => {
  const { one, host, island, there } = await setUp()
  const port = await takeTestPort(host, island.id)
  const member = await one.signUp()
  await openTestPort(member, island.id, { remoteAddress: '127.0.0.7' })
  for (const take of [
    { url: `/api/islands/${island.id}/blocks/${member.username}` },
    {
      url: `/api/islands/${island.id}/publish`,
      payload: { access: 'invited', isListed: false },
    },
  ]) {
    const visitor = await vi.waitFor(async () => {
      const connected = visitPort(port, { ...there, from: '127.0.0.7' })
      await connected.hears('hello')
      return connected
    }, soon)
    expect(await host.inject({ method: 'POST', ...take })).toMatchObject({
      statusCode: expect.toBeOneOf([200, 204]),
    })
    await vi.waitFor(() => expect(visitor.socket.destroyed).toBe(true), soon)
    await host.inject({
      method: 'DELETE',
      url: `/api/islands/${island.id}/blocks/${member.username}`,
    })
  }
})
