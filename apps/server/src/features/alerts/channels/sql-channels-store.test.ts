import { insertUser } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { channelsStoreContract } from './channels-store.contract.ts'
import { sqlChannelsStore } from './sql-channels-store.ts'

channelsStoreContract(async () => {
  const { db } = await openTestStorage()
  return {
    store: sqlChannelsStore(db),
    insertUser: () => insertUser(db),
    disableUser: async (userKey) => {
      await db.updateTable('users').set({ disabled_ms: 1 }).where('key', '=', userKey).execute()
    },
    deleteUser: async (userKey) => {
      await db.deleteFrom('users').where('key', '=', userKey).execute()
    },
  }
})
