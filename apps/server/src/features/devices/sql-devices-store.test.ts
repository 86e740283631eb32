import { expect, test } from 'vitest'
import { insertDevice, insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { sqlDeviceImportsStore } from './csv/sql-device-imports-store.ts'
import { devicesStoreContract } from './devices-store.contract.ts'
import { sqlOperatorDevicesStore } from './operator/sql-operator-devices-store.ts'
import { sqlDeviceTokensStore } from './sql-device-tokens-store.ts'
import { sqlDevicesStore } from './sql-devices-store.ts'

devicesStoreContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  return {
    store: {
      ...sqlDevicesStore(storage),
      ...sqlDeviceTokensStore(storage),
      ...sqlDeviceImportsStore(storage),
      ...sqlOperatorDevicesStore(storage),
    },
    insertUser: () => insertUser(db),
    nameUser: async (userKey, { username, name, isNamePublic }) => {
      await db
        .updateTable('users')
        .set({ username, name, is_name_public: isNamePublic ? 1 : 0 })
        .where('key', '=', userKey)
        .execute()
    },
    disableUser: async (userKey, disabledMs) => {
      await db
        .updateTable('users')
        .set({ disabled_ms: disabledMs })
        .where('key', '=', userKey)
        .execute()
    },
    noteHeartbeat: async (deviceKey, atMs) => {
      await db
        .insertInto('presence')
        .values({ device_key: deviceKey, last_seen_ms: atMs, is_online: 1 })
        .execute()
      await db
        .insertInto('presence_events')
        .values({ device_key: deviceKey, status: 'online', at_ms: atMs })
        .execute()
    },
    countPresence: async (deviceKey) => {
      const presence = await db
        .selectFrom('presence')
        .select('device_key')
        .where('device_key', '=', deviceKey)
        .execute()
      const events = await db
        .selectFrom('presence_events')
        .select('device_key')
        .where('device_key', '=', deviceKey)
        .execute()
      return Math.max(presence.length, events.length)
    },
  }
})

test('the deletion of a device is published once storage no longer has it, and only if it was the user’s', async () => {
  const storage = await openTestStorage()
  const store = sqlDevicesStore(storage)
  const [owned] = await store.readOwners([await insertDevice(storage.db)])
  if (owned === undefined) throw new Error('There is one')
  const deleted: number[] = []
  storage.changes.subscribe('devices', async ({ keys }) => {
    const left = await store.read(keys)
    deleted.push(...keys.filter((key) => !left.some((device) => device.key === key)))
  })
  expect(await store.delete(owned.userKey + 1, owned.id)).toBeUndefined()
  expect(await store.delete(owned.userKey, 'missing')).toBeUndefined()
  expect(deleted).toEqual([])
  expect(await store.delete(owned.userKey, owned.id)).toMatchObject({ key: owned.key })
  expect(deleted).toEqual([owned.key])
})
