import { insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { reportsStoreContract } from './reports-store.contract.ts'
import { sqlReportsStore } from './sql-reports-store.ts'

reportsStoreContract(async () => {
  const { db } = await openTestStorage()
  return {
    store: sqlReportsStore(db),
    insertUser: () => insertUser(db),
    deleteUser: async (userKey) => {
      await db.deleteFrom('users').where('key', '=', userKey).execute()
    },
    nameUser: async (userKey, username) => {
      await db.updateTable('users').set({ username }).where('key', '=', userKey).execute()
    },
  }
})
