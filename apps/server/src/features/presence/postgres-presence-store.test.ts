import { expect, onTestFinished, test } from 'vitest'
import { insertDevice } from '../../test/factories.ts'
import { noLimits, openTestDatabase } from '../../test/open-test-storage.ts'
import { openPostgresStorage } from '../../storage/postgres-storage.ts'
import { postgresPresenceStore } from './postgres-presence-store.ts'

/** The stores of two servers on one database. */
async function setUp() {
  const databaseUrl = await openTestDatabase()
  const open = async () => {
    const storage = await openPostgresStorage({ databaseUrl, onFatal, limits: noLimits })
    onTestFinished(() => storage.close())
    return { storage, store: postgresPresenceStore(storage) }
  }
  const [one, other] = [await open(), await open()]
  return { one, other, device: await insertDevice(one.storage.db) }
}

function onFatal(error: Error): never {
  throw error
}

test('[P6] a flip is not recorded when another server has an unread heartbeat of the device', async () => {
  const { one, other, device } = await setUp()
  await one.store.commitHeartbeats({ atMs: 10, stayed: [], cameOnline: [device] })
  await other.store.commitHeartbeats({ atMs: 20, stayed: [device], cameOnline: [] })
  const flip = { deviceKey: device, lastSeenMs: 10, atMs: 310 }
  expect(await one.store.recordOffline([flip], 310)).toEqual([])
  expect(await one.store.read([device])).toMatchObject([{ lastSeenMs: 20, isOnline: true }])
})

test('[P6] heartbeats committed after a judgement count as received after it', async () => {
  const { one, other, device } = await setUp()
  const second = await insertDevice(one.storage.db)
  await one.store.commitHeartbeats({ atMs: 10, stayed: [], cameOnline: [device] })
  await one.store.recordOffline([{ deviceKey: device, lastSeenMs: 10, atMs: 310 }], 400)
  const late = { atMs: 309, stayed: [], cameOnline: [second] }
  expect(await other.store.commitHeartbeats(late)).toBe(400)
})

test('[P4] a device that reports to two servers at once comes online once', async () => {
  const { one, other, device } = await setUp()
  const group = { atMs: 10, stayed: [], cameOnline: [device] }
  await Promise.all([one.store.commitHeartbeats(group), other.store.commitHeartbeats(group)])
  expect(await one.store.events(device)).toEqual([{ status: 'online', atMs: 10 }])
})

test('a fold writes heartbeats of other servers and leaves unread ones alone', async () => {
  const { one, other, device } = await setUp()
  await one.store.commitHeartbeats({ atMs: 10, stayed: [], cameOnline: [device] })
  await other.store.commitHeartbeats({ atMs: 20, stayed: [device], cameOnline: [] })
  await one.store.fold()
  const store = postgresPresenceStore(one.storage)
  for await (const page of store.load()) expect(page.lastSeenMs).toEqual([20])
  await store.fold()
  const [row] = await one.storage.db.selectFrom('presence').select('last_seen_ms').execute()
  expect(row?.last_seen_ms).toBe(20)
})

test('heartbeats wake other servers only when a device comes online', async () => {
  const { one, device: deviceKey } = await setUp()
  const { store, storage } = one
  let commits = 0
  storage.instance.watch({ onCommit: () => (commits += 1), onDoubt: () => undefined })

  const stayed = { stayed: [deviceKey], cameOnline: [] }
  await store.commitHeartbeats({ atMs: 1, stayed: [], cameOnline: [deviceKey], isUrgent: true })
  expect(commits).toBe(1)
  await store.commitHeartbeats({ atMs: 2, ...stayed, isUrgent: false })
  expect(commits).toBe(1)
  // The leader has yet to record that flip.
  await store.commitHeartbeats({ atMs: 3, ...stayed, isUrgent: true })
  expect(commits).toBe(2)
})
