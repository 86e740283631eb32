import { expect, test } from 'vitest'
import { insertDevice, insertIsland, insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import type { ChangeTopic } from '../../storage/schema.ts'
import { describeAccountsStore } from './accounts-store.contract.ts'
import { sqlAccountsStore } from './sql-accounts-store.ts'

describeAccountsStore('SQLite', async () => sqlAccountsStore(await openTestStorage()))

test('S57 deleting a user deletes devices and islands, and records every change', async () => {
  const storage = await openTestStorage()
  const { db, changes } = storage
  const [userKey, otherKey] = [await insertUser(db), await insertUser(db)]
  const devices = [await insertDevice(db, userKey), await insertDevice(db, userKey)]
  const kept = await insertDevice(db, otherKey)
  const own = await insertIsland(db, { hostKey: userKey })
  const joined = await insertIsland(db, { hostKey: otherKey })
  await db
    .insertInto('island_members')
    .values([
      { island_key: own.key, user_key: otherKey, joined_ms: 1 },
      { island_key: joined.key, user_key: userKey, joined_ms: 1 },
    ])
    .execute()
  const routes = { island_key: joined.key, neighbour_key: own.key, place: 0 }
  await db.insertInto('island_routes').values(routes).execute()
  const recorded: unknown[] = []
  const topics: ChangeTopic[] = ['users', 'values', 'devices', 'island-members', 'islands']
  for (const topic of topics) {
    changes.subscribe(topic, ({ keys }) => void recorded.push([topic, keys]))
  }

  expect(await sqlAccountsStore(storage).deleteUser(userKey)).toBe(2)
  expect(recorded).toEqual([
    ['users', [userKey]],
    ['values', [userKey]],
    ['devices', devices],
    ['island-members', [own.key, joined.key]],
    ['islands', [joined.key]],
    ['islands', [own.key]],
  ])
  expect(await db.selectFrom('devices').select('key').execute()).toEqual([{ key: kept }])
  expect(await db.selectFrom('islands').select('key').execute()).toEqual([{ key: joined.key }])
})
