import { insertIsland, insertUser } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { admissionsStoreContract } from './admissions-store.contract.ts'
import { sqlAdmissionsStore } from './sql-admissions-store.ts'

admissionsStoreContract(async () => {
  const { db } = await openTestStorage()
  return {
    store: sqlAdmissionsStore(db),
    insertUser: () => insertUser(db),
    insertIsland: async () => (await insertIsland(db)).key,
    disableUser: async (key) => {
      await db.updateTable('users').set({ disabled_ms: 1 }).where('key', '=', key).execute()
    },
    deleteUser: async (key) => {
      await db.deleteFrom('users').where('key', '=', key).execute()
    },
  }
})
