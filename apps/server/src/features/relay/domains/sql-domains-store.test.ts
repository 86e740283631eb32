import { randomBytes, randomUUID } from 'node:crypto'
import { insertIsland, insertUser } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { domainsStoreContract } from './domains-store.contract.ts'
import { sqlDomainsStore } from './sql-domains-store.ts'

domainsStoreContract(async () => {
  const storage = await openTestStorage()
  const { db, changes } = storage
  let changed: number[] = []
  changes.subscribe('islands', ({ keys }) => void changed.push(...keys))
  return {
    store: sqlDomainsStore(storage),
    insertUser: () => insertUser(db),
    insertIsland: (hostKey) => insertIsland(db, { hostKey }),
    deleteIsland: async (key) => {
      await db.deleteFrom('islands').where('key', '=', key).execute()
    },
    grantsFor: async (islandKey, hostNames) => {
      const sessionHash = new Uint8Array(randomBytes(32))
      const session = { id: randomUUID(), device: null, address_family: null }
      await db
        .insertInto('sessions')
        .values({
          ...session,
          token_hash: sessionHash,
          user_key: await insertUser(db),
          created_ms: 0,
          last_used_ms: 0,
        })
        .execute()
      for (const hostName of hostNames) {
        await db
          .insertInto('relay_grants')
          .values({
            grant_hash: new Uint8Array(randomBytes(32)),
            island_key: islandKey,
            host_name: hostName,
            session_hash: sessionHash,
            started_ms: 0,
          })
          .execute()
      }
      return async () => {
        const left = await db.selectFrom('relay_grants').select('host_name').execute()
        return left.map((row) => row.host_name ?? '')
      }
    },
    takeChanged: () => {
      const taken = changed
      changed = []
      return taken
    },
  }
})
