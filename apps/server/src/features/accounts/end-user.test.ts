import { expect, test } from 'vitest'
import { insertDevice, insertUser } from '../../test/factories.ts'
import { endUser } from './end-user.ts'
import { accountsTestDeps } from './testing/accounts-test-deps.ts'

const noteIslandsEnd = () => undefined

async function setUp() {
  const { db, store, changedDevices } = await accountsTestDeps()
  const [userKey, otherKey] = [await insertUser(db), await insertUser(db)]
  const keys = [await insertDevice(db, userKey), await insertDevice(db, userKey)]
  const kept = await insertDevice(db, otherKey)
  const rows = async () => {
    const devices = await db.selectFrom('devices').select('key').execute()
    return devices.map(({ key }) => key)
  }
  return { db, store, changedDevices, userKey, otherKey, keys, kept, rows }
}

test('a user’s end deletes what is theirs, and publishes the end of each device', async () => {
  const { db, store, changedDevices, userKey, otherKey, keys, kept, rows } = await setUp()
  expect(await endUser({ store, noteIslandsEnd }, userKey)).toBe(2)
  expect(changedDevices).toEqual(keys)
  expect(await rows()).toEqual([kept])
  const users = await db.selectFrom('users').select('key').execute()
  expect(users).toEqual([{ key: otherKey }])
})

test('the end of a user who is gone already is none', async () => {
  const { store, changedDevices, userKey, keys, kept, rows } = await setUp()
  await endUser({ store, noteIslandsEnd }, userKey)
  expect(await endUser({ store, noteIslandsEnd }, userKey)).toBe(0)
  expect(changedDevices).toEqual(keys)
  expect(await rows()).toEqual([kept])
})

test('a user who could not be deleted keeps all', async () => {
  const { store, userKey, keys, kept, rows } = await setUp()
  const failing = { ...store, deleteUser: () => Promise.reject(new Error('disk full')) }
  await expect(endUser({ store: failing, noteIslandsEnd }, userKey)).rejects.toThrow('disk full')
  expect(await rows()).toEqual([...keys, kept])
})
