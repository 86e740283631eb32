import { insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { reportsStoreContract } from './reports-store.contract.ts'
import { sqlReportsStore } from './sql-reports-store.ts'

reportsStoreContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  return {
    store: sqlReportsStore(storage),
    insertUser: () => insertUser(db),
    deleteUser: async (userKey) => {
      await db.deleteFrom('users').where('key', '=', userKey).execute()
    },
    nameUser: async (userKey, username) => {
      await db.updateTable('users').set({ username }).where('key', '=', userKey).execute()
    },
  }
})
