import { createServer } from 'node:net'
import { once } from 'node:events'
import { ErrorBody } from '@astropelago/contract/error-body'
import * as v from 'valibot'
import { expect, onTestFinished, test, vi } from 'vitest'
import { joinTestIsland, makeTestIsland } from '../../../test/api-islands.ts'
import { createTestApp } from '../../../test/create-test-app.ts'
import { connectAgent } from '../../../test/relay-agent.ts'
import { createRelayApp, makeServedIsland } from '../../../test/relay-app.ts'
import {
  echoTcp,
  onePort,
  openTestPort,
  takeTestPort,
  visitPort,
} from '../../../test/relay-ports.ts'

const portOf = (id: string) => `/api/islands/${id}/port`

test('R35 an island takes a port, shows it to users who may enter, and gives it back', async () => {
  const relayPorts = await onePort()
  const { host, island, signUp, inject } = await createRelayApp({ config: { relayPorts } })
  const none = { address: null, letIn: null }
  const offered = { isOffered: true, isListening: false }
  expect(await openTestPort(host, island.id)).toEqual({ ...none, own: offered })

  const taken = await host.inject({ method: 'POST', url: portOf(island.id) })
  const address = `localhost:${relayPorts.first}`
  const own = { isOffered: true, isListening: true }
  expect(taken.json()).toEqual({ address, letIn: null, own })
  const visitor = { address, letIn: null, own: null }
  expect(await openTestPort({ inject }, island.id)).toEqual(visitor)
  expect(await openTestPort(await signUp(), island.id)).toEqual(visitor)

  for (const _again of [1, 2]) {
    const gone = await host.inject({ method: 'DELETE', url: portOf(island.id) })
    expect(gone.statusCode).toBe(204)
  }
  expect(await openTestPort({ inject }, island.id)).toEqual({ ...none, own: null })
  await expect(visitPort(relayPorts.first).ended).resolves.toBe('reset')
})

test('R35 a user who may not enter does not learn an island’s port, and another host can’t take it', async () => {
  const relayPorts = await onePort()
  const { host, signUp, inject } = await createRelayApp({ config: { relayPorts } })
  const { island } = await makeServedIsland(host, { access: 'invited', isListed: true })
  await takeTestPort(host, island.id)
  const stranger = await signUp()
  await joinTestIsland(stranger, island.id)
  expect(await openTestPort(stranger, island.id)).toBeUndefined()
  expect(await openTestPort({ inject }, island.id)).toBeUndefined()
  for (const method of ['POST', 'DELETE'] as const) {
    const answer = await stranger.inject({ method, url: portOf(island.id) })
    expect(answer.statusCode).toBe(404)
  }
  expect((await openTestPort(host, island.id))?.address).not.toBeNull()
})

test('R56 while an island is paused only its host sees its port, and that network is let in', async () => {
  const relayPorts = await onePort()
  const { host, island, signUp, inject, url, token } = await createRelayApp({
    config: { relayPorts },
  })
  await takeTestPort(host, island.id)
  await connectAgent(url, token, { onStream: echoTcp })
  await visitPort(relayPorts.first).hears('hello')
  const pause = `/api/islands/${island.id}/pause`
  await host.inject({ method: 'POST', url: pause, payload: {} })
  const none = { address: null, letIn: null, own: null }
  for (const by of [await signUp(), { inject }]) {
    expect(await openTestPort(by, island.id)).toEqual(none)
  }
  expect(await visitPort(relayPorts.first).ended).toBe('reset')
  expect(await openTestPort(host, island.id)).toMatchObject({
    address: `localhost:${relayPorts.first}`,
    letIn: { network: '127.0.0.1' },
  })
  await visitPort(relayPorts.first).hears('hello')
})

test('islands with a link get no port, and nobody does if none is left or given out', async () => {
  const relayPorts = await onePort()
  const { host, island } = await createRelayApp({ config: { relayPorts } })
  const refusalOf = async (id: string, browser = host) => {
    const answer = await browser.inject({ method: 'POST', url: portOf(id) })
    return v.parse(ErrorBody, answer.json()).code
  }
  await takeTestPort(host, island.id)
  expect(await refusalOf((await makeServedIsland(host)).island.id)).toBe('no_free_port')
  expect(await refusalOf((await makeTestIsland(host)).id)).toBe('not_relayed')

  const without = await createTestApp()
  const browser = await without.signUp()
  const relayed = await makeServedIsland(browser)
  expect(await refusalOf(relayed.island.id, browser)).toBe('ports_off')
  const own = { isOffered: false, isListening: false }
  expect(await openTestPort(browser, relayed.island.id)).toMatchObject({ own })
})

test('R35 a port that was given back goes to no other island for a day', async () => {
  const relayPorts = await onePort()
  const { host, island, clock } = await createRelayApp({ config: { relayPorts } })
  await takeTestPort(host, island.id)
  const other = await makeServedIsland(host)
  await host.inject({ method: 'DELETE', url: portOf(island.id) })
  const ask = async () =>
    (await host.inject({ method: 'POST', url: portOf(other.island.id) })).statusCode
  clock.move(24 * 3_600_000 - 1)
  expect(await ask()).toBe(409)
  clock.move(1)
  expect(await ask()).toBe(200)
})

test('R35 a port that another program has stops nothing: its host sees that, and the server retries', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const address = other.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const relayPorts = { host: '127.0.0.1', first: port, last: port }
  const { host, url, island, token, logged } = await createRelayApp({ config: { relayPorts } })
  await takeTestPort(host, island.id)
  expect((await openTestPort(host, island.id))?.own?.isListening).toBe(false)
  expect(logged()).toContain(`port ${port} of RELAY_TCP_PORTS can’t be listened on`)

  other.close()
  await connectAgent(url, token, { onStream: echoTcp })
  await vi.waitFor(
    async () => expect((await openTestPort(host, island.id))?.own?.isListening).toBe(true),
    { timeout: 15_000, interval: 100 },
  )
  await visitPort(port).hears('hello')
})
