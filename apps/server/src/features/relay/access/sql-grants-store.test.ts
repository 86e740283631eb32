import { randomUUID } from 'node:crypto'
import { insertIsland, insertUser } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { sqlGrantsStore } from './sql-grants-store.ts'
import { grantsStoreContract } from './grants-store.contract.ts'

grantsStoreContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  return {
    store: sqlGrantsStore(storage),
    insertUser: () => insertUser(db),
    insertIsland: () => insertIsland(db),
    deleteIsland: async (key) => {
      await db.deleteFrom('islands').where('key', '=', key).execute()
    },
    insertSession: async (userKey, tokenHash) => {
      const session = { id: randomUUID(), device: null, address_family: null }
      const times = { created_ms: 0, last_used_ms: 0 }
      const row = { token_hash: tokenHash, user_key: userKey, ...session, ...times }
      await db.insertInto('sessions').values(row).execute()
    },
    endSession: async (tokenHash) => {
      await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
    },
  }
})
