import { insertCheck, insertDevice, insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { alertRulesStoreContract } from './alert-rules-store.contract.ts'
import { sqlAlertRulesStore } from './sql-alert-rules-store.ts'

alertRulesStoreContract(async () => {
  const { db } = await openTestStorage()
  return {
    store: sqlAlertRulesStore(db),
    insertUser: () => insertUser(db),
    insertDevice: (userKey) => insertDevice(db, userKey),
    insertCheck: (userKey) => insertCheck(db, { userKey }),
    deleteDevice: async (deviceKey) => {
      await db.deleteFrom('devices').where('key', '=', deviceKey).execute()
    },
  }
})
