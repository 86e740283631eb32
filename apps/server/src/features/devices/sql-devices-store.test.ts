import { insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { devicesStoreContract } from './devices-store.contract.ts'
import { sqlDevicesStore } from './sql-devices-store.ts'

devicesStoreContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  return {
    store: sqlDevicesStore(storage),
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
