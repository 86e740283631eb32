import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertDevice, insertIsland, insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { postgresSearchStore } from './postgres-search-store.ts'
import { parseSearch } from './search-query.ts'
import { searchStoreContract } from './search-store.contract.ts'
import { sqlSearchStore } from './sql-search-store.ts'
import { sqliteSearchStore } from './sqlite-search-store.ts'

searchStoreContract(async () => {
  const { kind, db, longReads } = await openTestStorage()
  return {
    store: kind === 'postgres' ? postgresSearchStore(longReads) : sqliteSearchStore(longReads),
    insertUser: () => insertUser(db),
    deleteUser: async (userKey) => {
      await db.deleteFrom('users').where('key', '=', userKey).execute()
    },
    setDisabled: async (userKey, isDisabled) => {
      const disabled_ms = isDisabled ? 1 : null
      await db.updateTable('users').set({ disabled_ms }).where('key', '=', userKey).execute()
    },
    insertDevice: async (user_key, label, { visibility = 'public' } = {}) => {
      const { key } = await db
        .insertInto('devices')
        .values({
          id: randomUUID(),
          user_key,
          label,
          lat: 0,
          lon: 0,
          link: null,
          visibility,
          public_since_ms: 1,
          created_ms: 1,
        })
        .returning('key')
        .executeTakeFirstOrThrow()
      return key
    },
    changeDevice: async (key, changes) => {
      await db.updateTable('devices').set(changes).where('key', '=', key).execute()
    },
    deleteDevice: async (key) => {
      await db.deleteFrom('devices').where('key', '=', key).execute()
    },
    insertIsland: async ({ userKey: user_key, slug, name, tagline = '' }) => {
      const { key } = await db
        .insertInto('islands')
        .values({
          id: randomUUID(),
          user_key,
          slug,
          name,
          kind: 'social',
          tagline,
          about: '',
          access: 'invited',
          is_listed: 1,
          address: null,
          carrier_key: null,
          created_ms: 1,
          published_ms: 1,
        })
        .returning('key')
        .executeTakeFirstOrThrow()
      return key
    },
    changeIsland: async (key, changes) => {
      await db.updateTable('islands').set(changes).where('key', '=', key).execute()
    },
    join: async (island_key, user_key) => {
      await db.insertInto('island_members').values({ island_key, user_key, joined_ms: 1 }).execute()
    },
    block: async (island_key, user_key) => {
      await db.insertInto('island_blocks').values({ island_key, user_key, at_ms: 1 }).execute()
    },
    insertRoute: async (island_key, neighbour_key) => {
      await db.insertInto('island_routes').values({ island_key, neighbour_key, place: 0 }).execute()
    },
  }
})

test('what the index still has is not found once it is hidden, or its owner is disabled', async () => {
  const { db } = await openTestStorage()
  const userKey = await insertUser(db)
  const device = await insertDevice(db, userKey)
  const island = await insertIsland(db, { hostKey: userKey, isListed: true })
  const store = sqlSearchStore(db, async (table) => [table === 'devices' ? device : island.key])
  const count = async () => {
    const query = parseSearch('harbor')
    return [(await store.findDevices(query)).length, (await store.findIslands(query)).length]
  }
  const hide = async (hidden_ms: number | null) => {
    await db.updateTable('devices').set({ hidden_ms }).execute()
    await db.updateTable('islands').set({ hidden_ms }).execute()
  }
  expect(await count()).toEqual([1, 1])
  await hide(1)
  expect(await count()).toEqual([0, 0])
  await hide(null)
  await db.updateTable('users').set({ disabled_ms: 1 }).execute()
  expect(await count()).toEqual([0, 0])
})
