import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertDevice } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { cachedTokens } from './cached-tokens.ts'
import { sqlDevicesStore } from './sql-devices-store.ts'

/** Tokens in memory, with the one token of a device. Calls `meet` before storage answers. */
async function setUp(meet: () => void) {
  const { db } = await openTestStorage()
  const store = sqlDevicesStore(db)
  const deviceKey = await insertDevice(db)
  const addToken = () =>
    store.insertToken(
      {
        id: randomUUID(),
        deviceKey,
        tokenHash: randomBytes(32),
        start: 'ast_1234',
        label: null,
        scope: 'relay',
        createdMs: 1,
      },
      10,
    )
  await addToken()
  const [token] = await store.readTokens([deviceKey])
  if (token === undefined) throw new Error('There is one')
  const tokens = await cachedTokens({
    ...store,
    readTokens: async (deviceKeys) => {
      meet()
      return await store.readTokens(deviceKeys)
    },
  })
  return { tokens, token, deviceKey, db, addToken }
}

test('R38 a good token is held while those of its device are learned anew, and one that ended no more', async () => {
  const held: boolean[] = []
  const { tokens, token, deviceKey, db, addToken } = await setUp(() =>
    held.push(tokens.isHeld(token)),
  )
  await addToken()
  await tokens.relearn([deviceKey])
  expect([...held, tokens.isHeld(token)]).toEqual([true, true])

  await db.deleteFrom('device_tokens').where('key', '=', token.tokenKey).execute()
  await tokens.relearn([deviceKey])
  expect(tokens.isHeld(token)).toBe(false)
})

test('where storage does not say which tokens there are none of the device is held', async () => {
  const { tokens, token, deviceKey } = await setUp(() => {
    throw new Error('away')
  })
  await expect(tokens.relearn([deviceKey])).rejects.toThrow('away')
  expect(tokens.isHeld(token)).toBe(false)
})
