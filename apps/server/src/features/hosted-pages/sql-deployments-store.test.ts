import { countRows } from '../../storage/count-rows.ts'
import { insertIsland, insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { deploymentsStoreContract } from './deployments-store.contract.ts'
import { sqlDeploymentsStore } from './sql-deployments-store.ts'

deploymentsStoreContract(async () => {
  const storage = await openTestStorage()
  const { db, changes } = storage
  let changed: number[] = []
  changes.subscribe('islands', ({ keys }) => void changed.push(...keys))
  return {
    store: sqlDeploymentsStore(storage),
    insertIsland: async ({ isListed }) => {
      const { key } = await insertIsland(db, { hostKey: await insertUser(db) })
      const { slug } = await db
        .updateTable('islands')
        .set({ is_listed: Number(isListed) })
        .where('key', '=', key)
        .returning('slug')
        .executeTakeFirstOrThrow()
      return { key, slug }
    },
    deleteIsland: async (key) => {
      await db.deleteFrom('islands').where('key', '=', key).execute()
    },
    countChunks: (islandKey) =>
      countRows(db.selectFrom('page_chunks').where('island_key', '=', islandKey)),
    takeChanged: () => {
      const taken = changed
      changed = []
      return taken
    },
  }
})
