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
  const value = {
    store: 'shared',
    owner_key: 0,
    author_id: '',
    author_name: '',
    value: '1',
  } as const
  const held = { ...value, island_key: joined.key, user_key: userKey, bytes: 1, changed_ms: 1 }
  await db
    .insertInto('island_values')
    .values([
      { ...held, name: 'a' },
      { ...held, name: 'b' },
    ])
    .execute()
  const recorded: unknown[] = []
  const topics: ChangeTopic[] = ['users', 'values', 'island-values', 'room-messages', 'devices']
  topics.push('island-members', 'islands')
  for (const topic of topics) {
    changes.subscribe(topic, ({ keys }) => void recorded.push([topic, keys]))
  }

  expect(await sqlAccountsStore(storage).deleteUser(userKey)).toBe(2)
  expect(recorded).toEqual([
    ['users', [userKey]],
    ['values', [userKey]],
    ['island-values', [joined.key]],
    ['room-messages', [userKey]],
    ['devices', devices],
    ['island-members', [own.key, joined.key]],
    ['islands', [joined.key]],
    ['islands', [own.key]],
  ])
  expect(await db.selectFrom('devices').select('key').execute()).toEqual([{ key: kept }])
  expect(await db.selectFrom('islands').select('key').execute()).toEqual([{ key: joined.key }])
})
