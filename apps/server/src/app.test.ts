import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from './test/api-devices.ts'
import { createTestApp } from './test/create-test-app.ts'
import { inTime } from './test/in-time.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const cleanUpMs = 10 * 60_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('S9 only a demo user’s own key-values are deleted with the account', async () => {
  const { inject, signUp, storage, clock } = await createTestApp({})
  const owner = await signUp()
  const demo = await inject({ method: 'POST', url: '/api/auth/demo' })
  const cookies = Object.fromEntries(demo.cookies.map(({ name, value }) => [name, value]))
  const write = {
    method: 'POST',
    url: '/_spark/kv/key',
    payload: '1',
    headers: { 'content-type': 'text/plain' },
  } as const
  expect((await owner.inject(write)).statusCode).toBe(204)
  expect((await inject({ ...write, cookies })).statusCode).toBe(204)

  const owners = () =>
    storage.db
      .selectFrom('key_values')
      .innerJoin('users', 'users.key', 'key_values.user_key')
      .select('users.username')
      .execute()
  clock.move(dayMs - 1)
  await vi.advanceTimersByTimeAsync(cleanUpMs)
  expect(await owners()).toHaveLength(2)
  clock.move(1)
  // The next run is scheduled when the last one ends.
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(cleanUpMs)
    expect(await owners()).toEqual([{ username: owner.username }])
  }, inTime)
  const rows = await storage.db.selectFrom('key_values').select('value').execute()
  expect(rows).toHaveLength(1)
  expect((await inject({ url: '/_spark/kv/key', cookies })).statusCode).toBe(401)
  expect((await owner.inject({ url: '/_spark/kv/key' })).body).toBe('1')
})

test('[P9] flips are stored for 90 days and then pruned', async () => {
  const { inject, signUp, storage, clock } = await createTestApp({})
  const owner = await signUp()
  const { token } = await createTestToken(owner, (await registerTestDevice(owner)).id)
  await sendHeartbeat({ inject }, token)
  const flips = () => storage.db.selectFrom('presence_events').select('status').execute()

  clock.move(90 * dayMs)
  await vi.advanceTimersByTimeAsync(hourMs)
  expect(await flips()).toContainEqual({ status: 'online' })
  // Flips are deleted by whole days.
  clock.move(dayMs)
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(hourMs)
    expect(await flips()).not.toContainEqual({ status: 'online' })
  }, inTime)
})

test('[P9] the log names devices that flipped', async () => {
  const { inject, signUp, logged } = await createTestApp({})
  const owner = await signUp()
  for (const label of ['One', 'Other']) {
    const { id } = await registerTestDevice(owner, { label })
    await sendHeartbeat({ inject }, (await createTestToken(owner, id)).token)
    const flips = () =>
      logged()
        .split('\n')
        .filter((line) => line.includes('"devices_flipped"'))
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(1000)
      expect(flips().at(-1)).toContain(id)
    }, inTime)
    // Once more, so that nothing is left to read when the next device flips.
    await vi.advanceTimersByTimeAsync(1000)
  }
})
