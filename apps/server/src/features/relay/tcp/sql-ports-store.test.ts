import { insertIsland, insertUser } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { portsStoreContract } from './ports-store.contract.ts'
import { sqlPortsStore } from './sql-ports-store.ts'

portsStoreContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  const setRelayed = async (key: number, isRelayed: boolean) => {
    await db
      .updateTable('islands')
      .set({ is_relayed: Number(isRelayed) })
      .where('key', '=', key)
      .execute()
  }
  return {
    store: sqlPortsStore(storage),
    insertUser: () => insertUser(db),
    insertIsland: async (hostKey) => {
      const island = await insertIsland(db, { hostKey })
      await setRelayed(island.key, true)
      return island
    },
    setRelayed,
    deleteIsland: async (key) => {
      await db.deleteFrom('islands').where('key', '=', key).execute()
    },
  }
})
