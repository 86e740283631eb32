import { insertDevice, insertIsland, insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { sqlAccountsStore } from '../accounts/sql-accounts-store.ts'
import { sqlIslandsStore } from '../islands/sql-islands-store.ts'
import { checksStoreContract } from './checks-store.contract.ts'
import { sqlChecksStore } from './sql-checks-store.ts'

checksStoreContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  const accounts = sqlAccountsStore(storage)
  const changes: [topic: 'checks' | 'check-looks' | 'island-checks', keys: readonly number[]][] = []
  for (const topic of ['checks', 'check-looks', 'island-checks'] as const) {
    storage.changes.subscribe(topic, ({ keys }) => {
      changes.push([topic, keys])
    })
  }
  return {
    store: sqlChecksStore(storage, { maxChecks: 4 }),
    insertUser: () => insertUser(db),
    insertIsland: async (hostKey) => {
      const { key, id } = await insertIsland(db, { hostKey })
      return { key, id }
    },
    deleteIsland: async (hostKey, id) => {
      await sqlIslandsStore(storage).delete(hostKey, id)
    },
    insertDevice: async (userKey) => {
      const key = await insertDevice(db, userKey)
      const own = db.selectFrom('devices').select('id').where('key', '=', key)
      return { key, id: (await own.executeTakeFirstOrThrow()).id }
    },
    deleteDevice: async (key) => {
      await db.deleteFrom('devices').where('key', '=', key).execute()
    },
    deleteUser: async (userKey) => {
      await accounts.deleteUser(userKey)
    },
    setDisabled: async (userKey, isDisabled) => {
      await accounts.setDisabled(userKey, isDisabled ? 1 : null)
    },
    takeChanges: () => changes.splice(0),
  }
})
