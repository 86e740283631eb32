import { insertDevice, insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { historyStoreContract } from './history-store.contract.ts'
import { sqlHistoryStore } from './sql-history-store.ts'

historyStoreContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  return {
    store: sqlHistoryStore(db, { longReads: storage.longReads }),
    insertUser: () => insertUser(db),
    insertDevice: async (userKey) => {
      const key = await insertDevice(db, userKey)
      const { id } = await db
        .selectFrom('devices')
        .select('id')
        .where('key', '=', key)
        .executeTakeFirstOrThrow()
      return { key, id }
    },
    deleteDevice: async (deviceKey) => {
      await db.deleteFrom('devices').where('key', '=', deviceKey).execute()
    },
    flip: async (deviceKey, ...times) => {
      const rows = times.map((at_ms, at) => ({
        device_key: deviceKey,
        status: at % 2 === 0 ? ('online' as const) : ('offline' as const),
        at_ms,
      }))
      await db.insertInto('presence_events').values(rows).execute()
    },
    noteOutage: async ({ fromMs, toMs }, writer = 0) => {
      await db.insertInto('unobserved').values({ from_ms: fromMs, to_ms: toMs, writer }).execute()
    },
  }
})
