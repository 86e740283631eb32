import { insertDevice } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { presenceStoreContract } from './presence-store.contract.ts'
import { sqlitePresenceStore } from './sqlite-presence-store.ts'

presenceStoreContract(async () => {
  const { db } = await openTestStorage()
  return {
    store: sqlitePresenceStore(db, { loadPageSize: 7 }),
    insertDevice: () => insertDevice(db),
    deleteDevice: async (deviceKey) => {
      await db.deleteFrom('devices').where('key', '=', deviceKey).execute()
    },
  }
})
