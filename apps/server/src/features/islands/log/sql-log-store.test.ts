import { insertDevice, insertIsland, insertUser } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { logStoreContract } from './log-store.contract.ts'
import { sqlLogStore } from './sql-log-store.ts'
import { sqlOpeningsStore } from './sql-openings-store.ts'

logStoreContract(async () => {
  const { db } = await openTestStorage()
  return {
    log: sqlLogStore(db),
    openings: sqlOpeningsStore(db),
    insertUser: () => insertUser(db),
    deleteUser: async (key) => {
      await db.deleteFrom('users').where('key', '=', key).execute()
    },
    insertDevice: () => insertDevice(db),
    insertIsland: (details) => insertIsland(db, details),
    insertFlips: async (flips) => {
      for (const [device_key, status, at_ms] of flips) {
        await db.insertInto('presence_events').values({ device_key, status, at_ms }).execute()
      }
    },
  }
})
