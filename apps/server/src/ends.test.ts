import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from './test/api-devices.ts'
import { createTestApp, type TestBrowser } from './test/create-test-app.ts'
import { inTime } from './test/in-time.ts'

const dayMs = 86_400_000
const cleanUpMs = 10 * 60_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** A demo user's public device that is online and has two tokens, and somebody else's device. */
async function setUp() {
  const testApp = await createTestApp({})
  const { inject, storage, signUp, clock } = testApp
  await registerTestDevice(await signUp(), { label: 'Kept' })
  const { cookies: set } = await inject({ method: 'POST', url: '/api/auth/demo' })
  const cookies = Object.fromEntries(set.map(({ name, value }) => [name, value]))
  const owner: TestBrowser = {
    username: 'demo',
    cookies,
    inject: (request) => inject({ ...request, cookies }),
  }
  const { id } = await registerTestDevice(owner, { label: 'Gone' })
  const [ended, other] = [await createTestToken(owner, id), await createTestToken(owner, id)]
  await sendHeartbeat({ inject }, ended.token)

  const list = async () => {
    clock.move(1000)
    const { body, headers } = await inject({ url: '/api/devices' })
    const devices: { label: string }[] = JSON.parse(body)
    return {
      labels: devices.map(({ label }) => label),
      count: Number(headers['x-total-count']),
      sequence: Number(/-(\d+)"$/.exec(String(headers['etag']))?.[1]),
    }
  }
  const count = async (table: 'device_tokens' | 'presence' | 'presence_events') =>
    (await storage.db.selectFrom(table).select('device_key').execute()).length
  return { ...testApp, owner, id, ended, other, list, count }
}

type Served = Awaited<ReturnType<typeof setUp>>

const endDevice = async ({ owner, id }: Served) => {
  const response = await owner.inject({ method: 'DELETE', url: `/api/devices/${id}` })
  expect(response.statusCode).toBe(204)
}
const expireUser = async ({ clock, inject, owner }: Served) => {
  clock.move(dayMs)
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(cleanUpMs)
    expect((await inject({ url: '/api/me', cookies: { ...owner.cookies } })).statusCode).toBe(401)
  }, inTime)
}

test.each<[string, (served: Served) => Promise<void>]>([
  ['deleted by its owner', endDevice],
  ['deleted with its demo user', expireUser],
])('S22 S23 a device that is %s is gone from tokens, list, feed and storage', async (_, end) => {
  const served = await setUp()
  const { inject, ended, other, list, count } = served
  const before = await list()
  expect(before).toMatchObject({ labels: ['Gone', 'Kept'], count: 2 })

  await end(served)
  await vi.waitFor(async () => expect((await list()).labels).toEqual(['Kept']), inTime)
  expect(await list()).toEqual({ labels: ['Kept'], count: 1, sequence: before.sequence + 1 })
  for (const { token } of [ended, other]) expect(await sendHeartbeat({ inject }, token)).toBe(401)
  for (const table of ['device_tokens', 'presence', 'presence_events'] as const) {
    expect(await count(table)).toBe(0)
  }
})

test('S22 a revoked token, and nothing else, is gone from memory and storage', async () => {
  const { owner, inject, ended, other, list, count } = await setUp()
  const before = await list()
  const url = `/api/devices/tokens/${ended.id}`
  expect((await owner.inject({ method: 'DELETE', url })).statusCode).toBe(204)
  expect(await sendHeartbeat({ inject }, ended.token)).toBe(401)
  expect(await sendHeartbeat({ inject }, other.token)).toBe(204)
  expect(await count('device_tokens')).toBe(1)
  expect(await list()).toEqual(before)
})
