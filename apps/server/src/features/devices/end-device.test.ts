import { expect, test } from 'vitest'
import { insertDevice } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { endDevice } from './end-device.ts'
import { sqlDevicesStore } from './sql-devices-store.ts'

async function setUp() {
  const storage = await openTestStorage()
  const store = sqlDevicesStore(storage)
  const deviceKey = await insertDevice(storage.db)
  const [owned] = await store.readOwners([deviceKey])
  if (owned === undefined) throw new Error('There is one')
  const changed: number[] = []
  storage.changes.subscribe('devices', async ({ keys }) => {
    const left = await store.read(keys)
    changed.push(...keys.filter((key) => !left.some((device) => device.key === key)))
  })
  return { store, owned, changed }
}

test('the end of a device is published once storage no longer has it', async () => {
  const { store, owned, changed } = await setUp()
  expect(await endDevice(store, owned.userKey, owned.id)).toMatchObject({ key: owned.key })
  expect(changed).toEqual([owned.key])
})

test('a device that is nobody’s or another user’s does not end', async () => {
  const { store, owned, changed } = await setUp()
  for (const [userKey, id] of [
    [owned.userKey + 1, owned.id],
    [owned.userKey, 'nobody’s'],
  ] as const) {
    await expect(endDevice(store, userKey, id)).rejects.toMatchObject({ code: 'not_found' })
  }
  expect(changed).toEqual([])
  expect(await endDevice(store, null, owned.id)).toMatchObject({ key: owned.key })
})
