import { insertIsland, insertUser } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { peopleStoreContract } from './people-store.contract.ts'
import { sqlInvitationsStore } from './sql-invitations-store.ts'
import { sqlPeopleStore } from './sql-people-store.ts'

peopleStoreContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  return {
    people: sqlPeopleStore(storage),
    invitations: sqlInvitationsStore(storage),
    insertUser: () => insertUser(db),
    deleteUser: async (key) => {
      await db.deleteFrom('users').where('key', '=', key).execute()
    },
    insertIsland: (access) => insertIsland(db, { access }),
    setAccess: async (key, access) => {
      await db.updateTable('islands').set({ access }).where('key', '=', key).execute()
    },
    deleteIsland: async (key) => {
      await db.deleteFrom('islands').where('key', '=', key).execute()
    },
    joinedLines: async (islandKey) => {
      const lines = await db
        .selectFrom('island_log')
        .select('user_key')
        .where('island_key', '=', islandKey)
        .where('kind', '=', 'joined')
        .execute()
      return lines.map((line) => line.user_key)
    },
  }
})
