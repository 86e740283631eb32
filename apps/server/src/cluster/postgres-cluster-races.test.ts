import { setTimeout as wait } from 'node:timers/promises'
import { PublicDevice } from '@astropelago/contract/devices'
import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test, vi } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../test/api-devices.ts'
import { followFeed } from './testing/feed-follower.ts'
import { startCluster, type TestServer } from './testing/test-cluster.ts'

const inTime = { timeout: 20_000, interval: 50 }

interface Known {
  readonly id: string
  readonly token: string
  /** Whether a heartbeat was acknowledged. */
  isHeard: boolean
  /** Undefined where a change was not answered for good. */
  label: string | undefined
  isPublic: boolean | undefined
  isThere: boolean | undefined
}

const who = fc.nat(3)
const by = fc.nat(2)
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('beat' as const), who, by }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('rename' as const), who, by }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('hide' as const), who, by }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('show' as const), who, by }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), who, by }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(400) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cut' as const), by }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('mend' as const), by }) },
)

/** Three servers, an owner's devices, and readers who wander from server to server. */
async function setUp() {
  const { servers } = await startCluster(3)
  const server = (index: number): TestServer => {
    const found = servers[index]
    if (found === undefined) throw new Error('no such server')
    return found
  }
  const owner = await server(0).signUp()
  const devices: Known[] = []
  for (const label of ['One', 'Two', 'Three', 'Four']) {
    const { id } = await vi.waitFor(() => registerTestDevice(owner, { label }), inTime)
    const { token } = await vi.waitFor(() => createTestToken(owner, id), inTime)
    devices.push({ id, token, label, isHeard: false, isPublic: true, isThere: true })
  }
  let turn = 0
  const followers = servers.map(() => followFeed(() => server((turn += 1) % 3).url))
  let renamed = 0
  const lastChanges = new Map<Known, Promise<void>>()
  /** One change of a device at a time, so that it is known which is the last. */
  const change = (
    device: Known,
    index: number,
    unsure: Partial<Known>,
    done: Partial<Known>,
    request: { readonly method: 'PATCH' | 'DELETE'; readonly payload?: object },
  ) => {
    const run = async () => {
      Object.assign(device, unsure)
      const url = `/api/devices/${device.id}`
      const answer = await server(index).inject({ ...request, url, cookies: owner.cookies })
      if (answer.statusCode < 300) Object.assign(device, done)
    }
    const last = (lastChanges.get(device) ?? Promise.resolve()).then(run)
    lastChanges.set(device, last)
    return last
  }
  return {
    servers,
    server,
    devices,
    followers,
    beat: async (device: Known, index: number) => {
      if ((await sendHeartbeat(server(index), device.token)) === 204) device.isHeard = true
    },
    rename: (device: Known, index: number) => {
      const label = `Label ${(renamed += 1)}`
      const request = { method: 'PATCH', payload: { label } } as const
      return change(device, index, { label: undefined }, { label }, request)
    },
    setPublic: (device: Known, index: number, isPublic: boolean) =>
      change(
        device,
        index,
        { isPublic: undefined },
        { isPublic },
        {
          method: 'PATCH',
          payload: { visibility: isPublic ? 'public' : 'private' },
        },
      ),
    remove: (device: Known, index: number) =>
      change(device, index, { isThere: undefined }, { isThere: false }, { method: 'DELETE' }),
    stop: async () => {
      for (const { proxy } of servers) proxy.mend()
      await Promise.all(followers.map((follower) => follower.stop()))
      await Promise.all(servers.map(({ app }) => app.close()))
      await Promise.all(servers.map(({ storage }) => storage.close()))
    },
  }
}

test('[P3] [P7] [P8] S22 S23 three servers and all readers agree after heartbeats, changes, deletions, cuts and takeovers in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 50 }), async (steps) => {
      const cluster = await setUp()
      const underWay: Promise<void>[] = []
      for (const one of steps) {
        const device = cluster.devices['who' in one ? one.who : 0]
        if (device === undefined) throw new Error('no such device')
        if (one.do === 'beat') underWay.push(cluster.beat(device, one.by))
        else if (one.do === 'rename') underWay.push(cluster.rename(device, one.by))
        else if (one.do === 'hide') underWay.push(cluster.setPublic(device, one.by, false))
        else if (one.do === 'show') underWay.push(cluster.setPublic(device, one.by, true))
        else if (one.do === 'delete') underWay.push(cluster.remove(device, one.by))
        else if (one.do === 'cut') cluster.server(one.by).proxy.cut()
        else if (one.do === 'mend') cluster.server(one.by).proxy.mend()
        else await wait(one.ms)
      }
      for (const { proxy } of cluster.servers) proxy.mend()
      await Promise.all(underWay)

      const { db } = cluster.server(0).storage
      const stored = await vi.waitFor(() => db.selectFrom('devices').selectAll().execute(), inTime)
      const rows = new Map(stored.map((row) => [row.id, row]))
      const lost = cluster.devices.filter(({ id, label, isPublic, isThere }) => {
        const row = rows.get(id)
        if (row === undefined) return isThere === true
        const isRenamed = label !== undefined && row.label !== label
        const isShown = row.visibility === 'public'
        return isThere === false || isRenamed || (isPublic !== undefined && isShown !== isPublic)
      })
      expect(lost).toEqual([])
      const heard = new Set(cluster.devices.filter(({ isHeard }) => isHeard).map(({ id }) => id))
      const shown = stored
        .filter(({ visibility }) => visibility === 'public')
        .map(({ id, label }) => ({ id, label, status: heard.has(id) ? 'online' : undefined }))
        .toSorted((one, other) => one.id.localeCompare(other.id))
      /** A heartbeat that was not acknowledged may be kept all the same. */
      const comparable = (devices: Iterable<PublicDevice>) =>
        [...devices]
          .map(({ id, label, status }) => ({
            id,
            label,
            status: heard.has(id) ? status : undefined,
          }))
          .toSorted((one, other) => one.id.localeCompare(other.id))
      await vi.waitFor(async () => {
        for (const { inject } of cluster.servers) {
          const answer = await inject({ url: '/api/devices' })
          expect(comparable(v.parse(v.array(PublicDevice), answer.json()))).toEqual(shown)
          for (const { id, token } of cluster.devices) {
            expect(await sendHeartbeat({ inject }, token)).toBe(rows.has(id) ? 204 : 401)
          }
        }
      }, inTime)
      // What they were told last was by these heartbeats.
      for (const { id } of cluster.devices) heard.add(id)
      const online = stored
        .filter(({ visibility }) => visibility === 'public')
        .map(({ id, label }) => ({ id, label, status: 'online' }))
        .toSorted((one, other) => one.id.localeCompare(other.id))
      await vi.waitFor(() => {
        for (const { devices } of cluster.followers) {
          expect(comparable(devices().values())).toEqual(online)
        }
      }, inTime)
      await cluster.stop()
    }),
    // Less of what raced may not race again: a search for the least failing would take all the time.
    { numRuns: 4, endOnFailure: true },
  )
}, 180_000)
