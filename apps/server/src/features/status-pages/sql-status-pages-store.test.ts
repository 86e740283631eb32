import { insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { sqlStatusPagesStore } from './sql-status-pages-store.ts'
import { statusPagesStoreContract } from './status-pages-store.contract.ts'

statusPagesStoreContract(async () => {
  const { db } = await openTestStorage()
  return {
    store: sqlStatusPagesStore(db),
    insertUser: async () => {
      const key = await insertUser(db)
      const users = db.selectFrom('users').select('username').where('key', '=', key)
      return { key, ...(await users.executeTakeFirstOrThrow()) }
    },
    disableUser: async (key) => {
      await db.updateTable('users').set({ disabled_ms: 1 }).where('key', '=', key).execute()
    },
    deleteUser: async (key) => {
      await db.deleteFrom('users').where('key', '=', key).execute()
    },
  }
})
