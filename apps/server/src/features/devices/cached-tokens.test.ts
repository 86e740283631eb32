import { hash, randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertDevice } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { cachedTokens } from './cached-tokens.ts'
import { sqlDeviceTokensStore } from './sql-device-tokens-store.ts'

/** Tokens in memory, with the one token of a device. Calls `meet` between a read and its answer. */
async function setUp(meet: () => void | Promise<void>) {
  const storage = await openTestStorage()
  const { db } = storage
  const store = sqlDeviceTokensStore(storage)
  const deviceKey = await insertDevice(db)
  /** Adds a token as another server would. */
  const addToken = (tokenHash: Uint8Array = randomBytes(32)) =>
    store.insertToken(
      {
        id: randomUUID(),
        deviceKey,
        tokenHash,
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
      const read = await store.readTokens(deviceKeys)
      await meet()
      return read
    },
    findToken: async (tokenHash) => {
      const found = await store.findToken(tokenHash)
      await meet()
      return found
    },
  })
  return { tokens, token, deviceKey, db, addToken }
}

test('R38 a valid token stays valid while the tokens of its device are read again; a revoked one does not', async () => {
  const held: boolean[] = []
  const { tokens, token, deviceKey, db, addToken } = await setUp(() => {
    held.push(tokens.isHeld(token))
  })
  await addToken()
  await tokens.relearn([deviceKey])
  expect([...held, tokens.isHeld(token)]).toEqual([true, true])

  await db.deleteFrom('device_tokens').where('key', '=', token.tokenKey).execute()
  await tokens.relearn([deviceKey])
  expect(tokens.isHeld(token)).toBe(false)
})

test('no token of a device is valid after its tokens could not be read', async () => {
  const { tokens, token, deviceKey } = await setUp(() => {
    throw new Error('no database')
  })
  await expect(tokens.relearn([deviceKey])).rejects.toThrow('no database')
  expect(tokens.isHeld(token)).toBe(false)
})

test('S22 a token that is revoked while it is looked up is not cached', async () => {
  let revoke: (() => Promise<void>) | undefined
  const { tokens, token, deviceKey, db, addToken } = await setUp(() => revoke?.())
  const raw = 'of another server'
  await addToken(hash('sha256', raw, 'buffer'))
  revoke = async () => {
    revoke = undefined
    await db.deleteFrom('device_tokens').where('key', '!=', token.tokenKey).execute()
    await tokens.relearn([deviceKey])
  }
  expect(await tokens.findStored(raw, 'relay')).toBeUndefined()
  expect(tokens.findDevice(raw, 'relay')).toBeUndefined()
})
