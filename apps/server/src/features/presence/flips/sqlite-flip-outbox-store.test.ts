import { insertDevice } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { sqlitePresenceStore } from '../sqlite-presence-store.ts'
import { flipOutboxContract } from './flip-outbox.contract.ts'
import { sqliteFlipOutbox } from './sqlite-flip-outbox-store.ts'

flipOutboxContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  const presence = sqlitePresenceStore(storage)
  return {
    outbox: sqliteFlipOutbox(db, { pruneSize: 2, rest: () => Promise.resolve() }),
    inTransaction: (work) =>
      db.transaction().execute((transaction) => work(sqliteFlipOutbox(transaction))),
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
    comeOnline: (cameOnline, atMs) => presence.commitHeartbeats({ atMs, stayed: [], cameOnline }),
    goOffline: async (deviceKey, lastSeenMs, atMs) => {
      await presence.recordOffline([{ deviceKey, lastSeenMs, atMs }], atMs)
    },
  }
})
