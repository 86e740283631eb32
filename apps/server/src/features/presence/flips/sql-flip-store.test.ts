import { insertDevice } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { presenceStore } from '../presence-feature.ts'
import { flipStoreContract } from './flip-store.contract.ts'
import { sqlFlipStore } from './sql-flip-store.ts'

flipStoreContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  const presence = presenceStore(storage)
  return {
    store: sqlFlipStore(db, { pruneSize: 2, rest: () => Promise.resolve() }),
    inTransaction: (work) =>
      db.transaction().execute((transaction) => work(sqlFlipStore(transaction))),
    insertDevice: async () => {
      const key = await insertDevice(db)
      const device = await db
        .selectFrom('devices')
        .select(['id', 'user_key'])
        .where('key', '=', key)
        .executeTakeFirstOrThrow()
      return { key, id: device.id, ownerKey: device.user_key }
    },
    deleteDevice: async (deviceKey) => {
      await db.deleteFrom('devices').where('key', '=', deviceKey).execute()
    },
    comeOnline: async (cameOnline, atMs) => {
      await presence.commitHeartbeats({ atMs, stayed: [], cameOnline })
    },
    goOffline: async (deviceKey, lastSeenMs, atMs) => {
      await presence.recordOffline([{ deviceKey, lastSeenMs, atMs }], atMs)
    },
  }
})
