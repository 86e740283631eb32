import { expect, test } from 'vitest'
import { insertDevice, insertUser } from '../../test/factories.ts'
import { endUser } from './end-user.ts'
import { accountsTestDeps } from './testing/accounts-test-deps.ts'

const noteIslandsEnd = () => undefined

async function setUp() {
  const { db, store } = await accountsTestDeps()
  const [userKey, otherKey] = [await insertUser(db), await insertUser(db)]
  const keys = [await insertDevice(db, userKey), await insertDevice(db, userKey)]
  const kept = await insertDevice(db, otherKey)
  const rows = async () => {
    const devices = await db.selectFrom('devices').select('key').execute()
    return devices.map(({ key }) => key)
  }
  return { db, store, userKey, otherKey, keys, kept, rows }
}

test('a user’s end deletes what is theirs, and then forgets each device', async () => {
  const { db, store, userKey, otherKey, keys, kept, rows } = await setUp()
  const forgotten: number[] = []
  await endUser({ store, noteIslandsEnd, forgetDevice: (key) => forgotten.push(key) }, userKey)
  expect(forgotten).toEqual(keys)
  expect(await rows()).toEqual([kept])
  const users = await db.selectFrom('users').select('key').execute()
  expect(users).toEqual([{ key: otherKey }])
})

test('the end of a user who is gone already is none', async () => {
  const { store, userKey, kept, rows } = await setUp()
  const forgotten: number[] = []
  const forgetDevice = (key: number) => forgotten.push(key)
  await endUser({ store, noteIslandsEnd, forgetDevice }, userKey)
  forgotten.length = 0
  await endUser({ store, noteIslandsEnd, forgetDevice }, userKey)
  expect(forgotten).toEqual([])
  expect(await rows()).toEqual([kept])
})

test('a user who could not be deleted keeps all, and nothing is forgotten', async () => {
  const { store, userKey, keys, kept, rows } = await setUp()
  const failing = { ...store, deleteUser: () => Promise.reject(new Error('disk full')) }
  const forgotten: number[] = []
  const forgetDevice = (key: number) => forgotten.push(key)
  const ended = endUser({ store: failing, noteIslandsEnd, forgetDevice }, userKey)
  await expect(ended).rejects.toThrow('disk full')
  expect(forgotten).toEqual([])
  expect(await rows()).toEqual([...keys, kept])
})
