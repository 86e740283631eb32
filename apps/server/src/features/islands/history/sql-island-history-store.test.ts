import { insertIsland } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { sqlPublicIslandsStore } from '../public/sql-public-islands-store.ts'
import { islandHistoryStoreContract } from './island-history-store.contract.ts'
import { sqlIslandHistoryStore } from './sql-island-history-store.ts'

islandHistoryStoreContract(async () => {
  const storage = await openTestStorage()
  const { db, longReads } = storage
  return {
    store: sqlIslandHistoryStore(db, longReads),
    insertIsland: async (hostKey) => {
      const { id, ...island } = await insertIsland(db, hostKey === undefined ? {} : { hostKey })
      return { ...island, slug: `isle-${id}` }
    },
    deleteIsland: async (key) => {
      await db.deleteFrom('islands').where('key', '=', key).execute()
    },
    knownSince: async (key) => (await sqlPublicIslandsStore(storage).read([key]))[0]?.knownSince,
  }
})
