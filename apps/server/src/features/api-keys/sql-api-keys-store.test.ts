import { insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { apiKeysStoreContract } from './api-keys-store.contract.ts'
import { sqlApiKeysStore } from './sql-api-keys-store.ts'

apiKeysStoreContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  return {
    store: sqlApiKeysStore(storage),
    insertUser: () => insertUser(db),
    disableUser: async (userKey) => {
      await db.updateTable('users').set({ disabled_ms: 1 }).where('key', '=', userKey).execute()
    },
  }
})
