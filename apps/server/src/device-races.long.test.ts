import { OwnDevice, type Visibility } from '@astropelago/contract/devices'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from './test/api-devices.ts'
import { createTestApp } from './test/create-test-app.ts'
import { movableClock } from './test/movable-clock.ts'
import { openTestStorage } from './test/open-test-storage.ts'

const onlineWindowMs = 5000
const tickMs = 1000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** A device as a client that waits for answers knows it. */
interface Known {
  readonly id: string
  readonly token: string
  readonly tokenId: string
  /** When its last acknowledged heartbeat was sent. */
  heartbeatMs: number | undefined
  /**
   * Its token works until its revocation or the deletion is requested, and no longer once that is answered.
   */
  revocation: 'none' | 'asked' | 'answered'
  deletion: 'none' | 'asked' | 'answered'
  /** Undefined while a change is under way. */
  visibility: Visibility | undefined
  lastChange: Promise<void>
}

const who = fc.nat(2)
const visibility = fc.constantFrom('public' as const, 'private' as const)
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('beat' as const), who }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change' as const), who, visibility }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('list' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ticks: fc.nat(6) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
)

/** Whether lists must not show it. */
function isHidden({ visibility: now, deletion }: Known): boolean {
  return now === 'private' || deletion === 'answered'
}

/** One owner's devices on a whole server that can be restarted, and its wrong answers. */
async function setUp() {
  const storage = await openTestStorage()
  const clock = movableClock()
  const start = () => createTestApp({ storage, clock, config: { onlineWindowMs } })
  let { app, signUp } = await start()
  const { cookies, ...owner } = await signUp()
  const devices: Known[] = []
  for (const n of [0, 1, 2]) {
    const { id } = await registerTestDevice({ ...owner, cookies }, { label: `Pi ${n}` })
    const { token, id: tokenId } = await createTestToken({ ...owner, cookies }, id)
    devices.push({
      id,
      token,
      tokenId,
      heartbeatMs: undefined,
      revocation: 'none',
      deletion: 'none',
      visibility: 'public',
      lastChange: Promise.resolve(),
    })
  }
  const wrong: string[] = []
  const inject = (request: InjectOptions) => app.inject(request)
  const asOwner = (request: InjectOptions) => app.inject({ ...request, cookies })

  return {
    clock,
    devices,
    wrong,
    ownDevices: async () => {
      const response = await asOwner({ url: '/api/me/devices' })
      return v.parse(v.array(OwnDevice), response.json())
    },
    beat: async (device: Known) => {
      const wasGone = device.revocation === 'answered' || device.deletion === 'answered'
      const sentMs = clock.now()
      const status = await sendHeartbeat({ inject }, device.token)
      const mayBeGone = device.revocation !== 'none' || device.deletion !== 'none'
      if (status === 204) device.heartbeatMs = Math.max(sentMs, device.heartbeatMs ?? 0)
      const isRight = (status === 204 && !wasGone) || (status === 401 && mayBeGone)
      if (!isRight) wrong.push(`heartbeat answered ${status}`)
    },
    change: (device: Known, to: Visibility) => {
      device.visibility = undefined
      const before = device.lastChange
      const change = async () => {
        await before
        const url = `/api/devices/${device.id}`
        const { statusCode } = await asOwner({
          method: 'PATCH',
          url,
          payload: { visibility: to },
        })
        if (statusCode !== 200 && device.deletion === 'none') wrong.push(`change: ${statusCode}`)
        if (device.lastChange === changed) device.visibility = to
      }
      const changed = change()
      device.lastChange = changed
      return changed
    },
    list: async () => {
      const hiddenBefore = devices.filter(isHidden)
      const { body } = await inject({ url: '/api/devices' })
      const listed = hiddenBefore.filter((device) => isHidden(device) && body.includes(device.id))
      if (listed.length > 0) wrong.push('a device that is not public is listed')
    },
    revoke: async (device: Known) => {
      if (device.revocation !== 'none') return
      device.revocation = 'asked'
      await asOwner({ method: 'DELETE', url: `/api/devices/tokens/${device.tokenId}` })
      device.revocation = 'answered'
    },
    remove: async (device: Known) => {
      if (device.deletion !== 'none') return
      device.deletion = 'asked'
      await asOwner({ method: 'DELETE', url: `/api/devices/${device.id}` })
      device.deletion = 'answered'
    },
    pass: async (ticks: number) => {
      for (let tick = 0; tick < ticks; tick += 1) {
        clock.move(tickMs)
        await vi.advanceTimersByTimeAsync(tickMs)
      }
    },
    restart: async () => {
      await app.close()
      ;({ app, signUp } = await start())
    },
  }
}

test('[P3] [P8] S22 S23 heartbeats, sweeps, revocations, deletions, changed visibilities and restarts in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const server = await setUp()
      const { devices, wrong } = server
      let underWay: Promise<void>[] = []
      const settle = async () => {
        await Promise.all(underWay)
        underWay = []
      }
      for (const one of steps) {
        const device = devices['who' in one ? one.who : 0]
        if (device === undefined) throw new Error('no such device')
        if (one.do === 'beat') underWay.push(server.beat(device))
        else if (one.do === 'change') underWay.push(server.change(device, one.visibility))
        else if (one.do === 'list') underWay.push(server.list())
        else if (one.do === 'revoke') underWay.push(server.revoke(device))
        else if (one.do === 'delete') underWay.push(server.remove(device))
        else if (one.do === 'pass') await server.pass(one.ticks)
        else if (one.do === 'settle') await settle()
        else {
          await settle()
          await server.restart()
        }
      }
      await settle()
      expect(wrong).toEqual([])

      const left = devices.filter(({ deletion }) => deletion === 'none')
      const expected = left.map(({ id, heartbeatMs }) => [
        id,
        heartbeatMs === undefined ? 'unknown' : 'offline',
      ])
      const settled = async () => {
        await server.pass(1)
        const now = await server.ownDevices()
        expect(now.map(({ id, status }) => [id, status])).toEqual(expected)
      }
      // A database that others use too takes some time until it has recorded who is offline.
      await vi.waitFor(settled, { timeout: 10_000 })
      for (const { id, lastSeenAt } of await server.ownDevices()) {
        const known = left.find((device) => device.id === id)
        expect(Date.parse(lastSeenAt ?? '')).not.toBeLessThan(known?.heartbeatMs ?? 0)
      }
    }),
    // A smaller case may not reproduce the race, so shrinking would only take time.
    { numRuns: 20, endOnFailure: true },
  )
}, 120_000)
