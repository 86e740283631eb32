import { insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { keyValuesStoreContract } from './key-values-store.contract.ts'
import { sqlKeyValuesStore } from './sql-key-values-store.ts'

keyValuesStoreContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  return {
    store: sqlKeyValuesStore(storage),
    insertUser: () => insertUser(db),
    deleteUser: async (userKey) => {
      await db.deleteFrom('users').where('key', '=', userKey).execute()
    },
    countEntries: async () => {
      const { count } = await db
        .selectFrom('key_values')
        .select((row) => row.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return count
    },
  }
})
