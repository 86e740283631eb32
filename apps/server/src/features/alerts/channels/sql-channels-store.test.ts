import { insertDevice, insertUser } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { sqlAlertRulesStore } from '../sql-alert-rules-store.ts'
import { channelsStoreContract } from './channels-store.contract.ts'
import { sqlChannelsStore } from './sql-channels-store.ts'

channelsStoreContract(async () => {
  const { db } = await openTestStorage()
  return {
    store: sqlChannelsStore(db),
    rules: sqlAlertRulesStore(db),
    insertUser: () => insertUser(db),
    insertDevice: (userKey) => insertDevice(db, userKey),
    disableUser: async (userKey) => {
      await db.updateTable('users').set({ disabled_ms: 1 }).where('key', '=', userKey).execute()
    },
    deleteUser: async (userKey) => {
      await db.deleteFrom('users').where('key', '=', userKey).execute()
    },
  }
})
