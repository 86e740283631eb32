import { directoryPath } from '@astropelago/contract/neighbour-directory'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestApp, type TestApp } from '../test/create-test-app.ts'
import { sendHeartbeatOverHttp, signInOverHttp, type HttpClient } from '../test/http-client.ts'
import { freePort } from '../test/listen.ts'
import { openLoadBalancer } from '../test/load-balancer.ts'
import { makeTempDir, openTestDatabase, shortLimits } from '../test/open-test-storage.ts'
import { openPostgresStorage } from '../storage/postgres-storage.ts'
import { openSqliteStorage } from '../storage/sqlite-storage.ts'
import type { Config } from '../config.ts'

vi.setConfig({ testTimeout: 120_000 })

const hourMs = 3_600_000
const soon = { timeout: 20_000, interval: 50 }

/** All installations agree on the time, also when it is moved. */
let skewMs = 0

function onFatal(error: Error): never {
  throw error
}

interface Installation {
  readonly url: string
  readonly captain: HttpClient
}

/** Names of operators can’t be registered, so they are added afterwards. */
const operators = new Set<string>()
const settings = { allowsPrivateTargets: true, operators }

async function startOnSqlite(siteName: string, given: { dataDir?: string; port?: number } = {}) {
  const { dataDir = await makeTempDir(), port = await freePort() } = given
  const storage = await openSqliteStorage({ dataDir, onFatal })
  const publicUrl = `http://127.0.0.1:${port}`
  const config: Partial<Config> = { ...settings, siteName, publicUrl }
  const clock = { now: () => Date.now() + skewMs, move: () => undefined }
  const { app } = await createTestApp({ storage, clock, config })
  await app.listen({ host: '127.0.0.1', port })
  const stop = async () => {
    await app.close()
    await storage.close()
  }
  return { url: publicUrl, dataDir, port, stop }
}

async function startOnPostgres(siteName: string) {
  const databaseUrl = await openTestDatabase()
  const servers: (TestApp & { readonly url: string })[] = []
  const balancer = await openLoadBalancer(() => servers.map(({ url }) => url))
  onTestFinished(() => balancer.close())
  for (let at = 0; at < 2; at += 1) {
    const storage = await openPostgresStorage({ databaseUrl, limits: shortLimits, onFatal })
    onTestFinished(() => storage.close())
    const clock = { now: () => storage.instance.clock.now() + skewMs, move: () => undefined }
    const config: Partial<Config> = { ...settings, siteName, publicUrl: balancer.url }
    const testApp = await createTestApp({ storage, clock, config })
    servers.push({ ...testApp, url: await testApp.app.listen({ host: '127.0.0.1', port: 0 }) })
  }
  return {
    url: balancer.url,
    stopLeader: async () => {
      await servers.shift()?.app.close()
    },
  }
}

async function operate(url: string, name: string): Promise<Installation> {
  const captain = await signInOverHttp(url, name)
  operators.add(name)
  return { url, captain }
}

// Each answer has a type of its own, which the tests compare.
// oxlint-disable-next-line typescript/no-explicit-any
async function jsonOf(answer: Response): Promise<any> {
  return await answer.json()
}

async function json({ captain }: Installation, path: string) {
  return await jsonOf(await captain.call('GET', path))
}

async function follow(follower: Installation, { url }: Installation) {
  const { captain } = follower
  const path = '/api/operator/neighbours'
  const preview = await captain.call('POST', `${path}/preview`, { address: url })
  expect(preview.status).toBe(200)
  const { address, key } = await jsonOf(preview)
  expect((await captain.call('POST', path, { address, key })).status).toBe(201)
}

async function publish({ captain }: Installation, name: string): Promise<string> {
  const details = { name, kind: 'social', tagline: 'Far away', address: 'https://far.example/' }
  const made = await captain.call('POST', '/api/islands', details)
  expect(made.status).toBe(201)
  const { id } = await jsonOf(made)
  const to = { access: 'public', isListed: true, isShared: true }
  expect((await captain.call('POST', `/api/islands/${id}/publish`, to)).status).toBe(200)
  return id
}

async function share({ captain, url }: Installation, label: string): Promise<string> {
  const details = { label, lat: 1, lon: 2, visibility: 'public', isShared: true }
  const made = await captain.call('POST', '/api/devices/register', details)
  expect(made.status).toBe(201)
  const { id } = await jsonOf(made)
  expect(await sendHeartbeatOverHttp(url, await captain.createToken(id))).toBe(204)
  return id
}

/** The names of neighbours’ islands and devices that an installation shows. */
async function shownOn(installation: Installation): Promise<string[]> {
  const { islands } = await json(installation, '/api/neighbours/islands')
  const { devices } = await json(installation, '/api/neighbours/devices')
  const names: string[] = [
    ...islands.map(({ name, isOpen }: { name: string; isOpen: boolean }) =>
      isOpen ? name : `${name} (closed)`,
    ),
    ...devices.map(({ label, status }: { label: string; status: string }) => `${label} ${status}`),
  ]
  return names.toSorted()
}

async function foundOn(installation: Installation, text: string): Promise<string[]> {
  const found = await json(installation, `/api/search?q=${encodeURIComponent(text)}`)
  return found.neighbourIslands.map(({ name }: { name: string }) => name)
}

async function within(ms: number, isSo: () => Promise<void>): Promise<void> {
  await vi.waitFor(isSo, { timeout: ms, interval: 50 })
}

test('[F21] [F27] S74 three installations that follow each other in a circle', async () => {
  skewMs = 0
  const first = await startOnSqlite('One')
  const second = await startOnPostgres('Two')
  let third = await startOnSqlite('Three')
  onTestFinished(() => third.stop())
  onTestFinished(first.stop)
  const [one, two, three] = [
    await operate(first.url, 'ada'),
    await operate(second.url, 'bob'),
    await operate(third.url, 'cleo'),
  ]
  await publish(one, 'Atoll')
  await share(one, 'Anchor')
  await publish(two, 'Bay')
  await share(two, 'Buoy')
  const cove = await publish(three, 'Cove')
  const compass = await share(three, 'Compass')
  await follow(one, two)
  await follow(two, three)
  await follow(three, one)
  const all = async () => [await shownOn(one), await shownOn(two), await shownOn(three)]
  const before = [
    ['Bay', 'Buoy online'],
    ['Compass online', 'Cove'],
    ['Anchor online', 'Atoll'],
  ]
  // Nothing is passed on: what two shows of three, one does not see.
  await vi.waitFor(async () => expect(await all()).toEqual(before), soon)

  // An island is found by search within two seconds, closes within two, and is withdrawn.
  const creek = await publish(three, 'Creek')
  await within(2000, async () => expect(await foundOn(two, 'creek')).toEqual(['Creek']))
  const pause = { text: '', until: null }
  const paused = await three.captain.call('POST', `/api/islands/${creek}/pause`, pause)
  expect(paused.status).toBe(200)
  await within(2000, async () => expect(await shownOn(two)).toContain('Creek (closed)'))
  await three.captain.call('PATCH', `/api/islands/${creek}`, { isShared: false })
  await within(5000, async () => expect(await foundOn(two, 'creek')).toEqual([]))
  await three.captain.call('PATCH', `/api/devices/${compass}`, { visibility: 'private' })
  await within(5000, async () => expect(await shownOn(two)).toEqual(['Cove']))
  await three.captain.call('PATCH', `/api/devices/${compass}`, { visibility: 'public' })
  await within(5000, async () => expect(await shownOn(two)).toEqual(before[1]))

  // Counts and lists are an installation's own.
  for (const [installation, own] of [
    [one, 'Atoll'],
    [two, 'Bay'],
  ] as const) {
    const { islands, total } = await json(installation, '/api/islands')
    expect(islands.map(({ name }: { name: string }) => name)).toEqual([own])
    expect(total).toBe(1)
    expect(await json(installation, '/api/devices')).toHaveLength(1)
  }

  // Cut off for an hour: nothing is lost, and then nothing is doubled.
  await third.stop()
  skewMs += hourMs
  await publish(one, 'Archipelago')
  third = await startOnSqlite('Three', third)
  const again = await operate(third.url, 'cleo')
  await again.captain.call('PATCH', `/api/islands/${cove}`, { name: 'Cove again' })
  const after = [
    ['Bay', 'Buoy online'],
    ['Compass online', 'Cove again'],
    ['Anchor online', 'Archipelago', 'Atoll'],
  ]
  const seen = async () => [await shownOn(one), await shownOn(two), await shownOn(again)]
  await vi.waitFor(async () => expect(await seen()).toEqual(after), { ...soon, timeout: 60_000 })

  // The server that leads goes away: the other one goes on, as follower and as followed.
  await second.stopLeader()
  await publish(again, 'Dune')
  await publish(two, 'Dock')
  await vi.waitFor(
    async () => {
      expect(await shownOn(two)).toEqual(['Compass online', 'Cove again', 'Dune'])
      expect(await shownOn(one)).toEqual(['Bay', 'Buoy online', 'Dock'])
    },
    { ...soon, timeout: 60_000 },
  )
  const { neighbours, followers } = await json(two, '/api/operator/neighbours')
  expect(neighbours).toMatchObject([{ state: 'following', note: null }])
  expect(followers).toMatchObject([{ address: one.url }])
  expect((await fetch(`${two.url}${directoryPath}`)).status).toBe(401)
})
