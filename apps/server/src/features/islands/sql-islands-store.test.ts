import { insertDevice, insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { islandsStoreContract } from './islands-store.contract.ts'
import { sqlIslandsStore } from './sql-islands-store.ts'

islandsStoreContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  const maxIslands = 8
  let joined = 0
  const changes: unknown[] = []
  for (const topic of ['island-members', 'islands'] as const) {
    storage.changes.subscribe(
      topic,
      ({ keys, details }) => void changes.push([topic, keys, details]),
    )
  }
  return {
    changes,
    store: sqlIslandsStore(storage, { maxIslands }),
    maxIslands,
    insertUser: () => insertUser(db),
    deleteUser: async (key) => {
      await db.deleteFrom('users').where('key', '=', key).execute()
    },
    disableUser: async (key) => {
      await db.updateTable('users').set({ disabled_ms: 1 }).where('key', '=', key).execute()
    },
    insertDevice: (userKey) => insertDevice(db, userKey),
    deleteDevice: async (key) => {
      await db.deleteFrom('devices').where('key', '=', key).execute()
    },
    insertMember: async (island_key, user_key) => {
      joined += 1
      const row = { island_key, user_key, joined_ms: joined }
      await db.insertInto('island_members').values(row).execute()
    },
    insertBlock: async (island_key, user_key) => {
      await db.insertInto('island_blocks').values({ island_key, user_key, at_ms: 1 }).execute()
    },
    insertRequest: async (island_key, user_key) => {
      const row = { island_key, user_key, text: 'Please', at_ms: 1 }
      await db.insertInto('island_requests').values(row).execute()
    },
    insertNote: async (island_key, user_key, at_ms) => {
      const id = `note-${island_key}-${at_ms}`
      const row = { id, island_key, user_key, kind: 'note', text: 'Hello', at_ms } as const
      await db.insertInto('island_log').values(row).execute()
    },
    hide: async (key) => {
      await db
        .updateTable('islands')
        .set({ hidden_ms: 1, hidden_reason: 'spam' })
        .where('key', '=', key)
        .execute()
    },
  }
})
