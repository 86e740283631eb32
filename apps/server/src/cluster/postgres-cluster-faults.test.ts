import { setTimeout as wait } from 'node:timers/promises'
import { PublicDevice } from '@astropelago/contract/devices'
import { Client } from 'pg'
import * as v from 'valibot'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openLoadBalancer } from '../test/load-balancer.ts'
import { openCuttableProxy } from '../test/cuttable-proxy.ts'
import { sendHeartbeatOverHttp, signInOverHttp, type HttpClient } from '../test/http-client.ts'
import { makeTempDir, openTestDatabase } from '../test/open-test-storage.ts'
import { runServer, type ServerProcess } from '../test/run-server.ts'
import { startTestPostgres } from '../test/test-postgres.ts'
import { followFeed } from './testing/feed-follower.ts'

const devices = 12
const beatMs = 250
/** Long enough for a device that tries again, and short enough to be judged in the test. */
const windowS = 4
const inTime = { timeout: 30_000, interval: 100 }

interface Device {
  readonly id: string
  readonly token: string
  /** The last label that was acknowledged; null where a later one may or may not be kept. */
  label: string | null
  /** Whether it is gone, as acknowledged; null where nobody knows. */
  isGone: boolean | null
}

/** A server with its own way to the database, which comes back when it is killed. */
async function runInstance(databaseUrl: string, shiftMs: number) {
  const url = new URL(databaseUrl)
  const proxy = await openCuttableProxy(Number(url.port))
  url.port = String(proxy.port)
  const dataDir = await makeTempDir()
  const shiftClock = `data:text/javascript,const now=Date.now;Date.now=()=>now()+${shiftMs}`
  const env = {
    DATABASE_URL: url.href,
    ONLINE_WINDOW_S: String(windowS),
    LIMIT_EXEMPT: '127.0.0.1',
    NODE_OPTIONS: `--import "${shiftClock}"`,
  }
  const start = () => runServer({ dataDir, env })
  let server: ServerProcess | undefined = await start()
  return {
    proxy,
    url: () => server?.url,
    kill: async () => {
      const killed = server
      server = undefined
      killed?.kill('SIGKILL')
      await killed?.exited
    },
    start: async () => {
      server = await start()
    },
  }
}

/** Reports until it is acknowledged, as curl does with --retry. */
async function keepBeating(url: string, device: Device, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sendHeartbeatOverHttp(url, device.token).catch(() => undefined)
    await wait(beatMs)
  }
}

/** Renames, and now and then deletes, and notes what was acknowledged. */
async function keepChanging(
  client: HttpClient,
  all: readonly Device[],
  signal: AbortSignal,
): Promise<void> {
  for (let change = 0; !signal.aborted; change += 1) {
    const device = all[change % all.length]
    await wait(40)
    if (device === undefined || device.isGone !== false) continue
    const path = `/api/devices/${device.id}`
    const isDeletion = change % 97 === 96
    const label = `Label ${change}`
    const before = { ...device }
    if (isDeletion) device.isGone = null
    else device.label = null
    const status = await client
      .call(isDeletion ? 'DELETE' : 'PATCH', path, ...(isDeletion ? [] : [{ label }]))
      .then(
        (answer) => answer.status,
        () => undefined,
      )
    if (status === 204) device.isGone = true
    else if (status === 200) device.label = label
    else if (status === 429 || status === 401) Object.assign(device, before)
  }
}

test(
  'S44 three servers behind a balancer lose nothing acknowledged, whichever is killed or cut off and when the database restarts',
  { timeout: 180_000 },
  async () => {
    const postgres = await startTestPostgres()
    onTestFinished(() => postgres.remove())
    const instances = [
      await runInstance(postgres.url, 0),
      await runInstance(postgres.url, 3000),
      await runInstance(postgres.url, -3000),
    ]
    const urls = () => instances.flatMap((instance) => instance.url() ?? [])
    const { url: balancer, close } = await openLoadBalancer(urls)
    onTestFinished(close)
    const client = await signInOverHttp(balancer, 'nova')
    const all: Device[] = []
    while (all.length < devices) {
      const id = await client.registerDevice()
      const token = await client.createToken(id)
      all.push({ id, token, label: null, isGone: false })
    }
    const ending = new AbortController()
    const load = [
      ...all.map((device) => keepBeating(balancer, device, ending.signal)),
      keepChanging(client, all.slice(0, devices / 2), ending.signal),
    ]
    const followers = [0, 1, 2].map(() => followFeed(() => balancer))
    onTestFinished(async () => {
      ending.abort()
      await Promise.all(followers.map((follower) => follower.stop()))
    })
    await vi.waitFor(() => {
      const online = [...(followers[0]?.devices().values() ?? [])].filter(
        ({ status }) => status === 'online',
      )
      expect(online.length).toBeGreaterThanOrEqual(devices - 1)
    }, inTime)

    for (const instance of instances) {
      await instance.kill()
      await wait(1000)
      await instance.start()
    }
    for (const instance of instances) {
      instance.proxy.cut()
      await wait(2500)
      instance.proxy.mend()
      await wait(500)
    }
    await postgres.stop()
    await wait(1000)
    await postgres.start()
    await wait(3000)

    ending.abort()
    await Promise.all(load)
    await vi.waitFor(async () => {
      for (const url of urls()) expect((await fetch(`${url}/readyz`)).status).toBe(200)
    }, inTime)

    const database = new Client({ connectionString: postgres.url })
    await database.connect()
    onTestFinished(() => database.end())
    const { rows: kept } = await database.query<{ id: string; label: string }>(
      'select id, label from devices',
    )
    const labels = new Map(kept.map(({ id, label }) => [id, label]))
    const lost = all.filter(({ id, label, isGone }) => {
      if (isGone === null) return false
      const isRenamed = label !== null && labels.get(id) !== label
      return labels.has(id) === isGone || (!isGone && isRenamed)
    })
    expect(lost).toEqual([])
    expect(all.filter(({ label }) => label !== null).length).toBeGreaterThan(0)

    // All were reporting until the end: a device that is offline now is so rightly, and none was before.
    const { rows: wrong } = await database.query(
      `select * from presence_events as event
       where status = 'offline' and exists (
         select from presence_events as later
         where later.device_key = event.device_key and later.sequence > event.sequence)`,
    )
    expect(wrong).toEqual([])

    await vi.waitFor(async () => {
      for (const url of [...urls(), balancer]) {
        const response = await fetch(`${url}/api/devices`)
        const listed = v.parse(v.array(PublicDevice), await response.json())
        expect(new Map(listed.map(({ id, label }) => [id, label]))).toEqual(labels)
        expect(new Set(listed.map(({ status }) => status))).toEqual(new Set(['offline']))
      }
      for (const follower of followers) {
        expect(new Map([...follower.devices()].map(([id, { label }]) => [id, label]))).toEqual(
          labels,
        )
        expect(new Set([...follower.devices().values()].map(({ status }) => status))).toEqual(
          new Set(['offline']),
        )
      }
    }, inTime)
  },
)

test('[P2] a server whose clock is an hour ahead uses the database’s clock', async () => {
  const { url } = await runInstance(await openTestDatabase(), 3_600_000)
  const client = await signInOverHttp(url() ?? '', 'nova')
  const token = await client.createToken(await client.registerDevice())
  expect(await sendHeartbeatOverHttp(url() ?? '', token)).toBe(204)
  const [device] = await client.listOwnDevices()
  expect(Math.abs(Date.parse(device?.lastSeenAt ?? '') - Date.now())).toBeLessThan(60_000)
})
