import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ApiKeysStore, NewApiKeyRecord } from './api-keys-store.ts'

export interface ApiKeysStoreHarness {
  readonly store: ApiKeysStore
  readonly insertUser: () => Promise<number>
  readonly disableUser: (userKey: number) => Promise<void>
}

/** What every store of API keys must do, on any database. */
export function apiKeysStoreContract(open: () => Promise<ApiKeysStoreHarness>): void {
  async function setUp() {
    const harness = await open()
    const { store, insertUser } = harness
    const [owner, stranger] = [await insertUser(), await insertUser()]
    const insert = async (details: Partial<NewApiKeyRecord> = {}) => {
      const key: NewApiKeyRecord = {
        id: randomUUID(),
        userKey: owner,
        keyHash: randomBytes(32),
        start: 'apk_abcdef',
        name: 'Provisioning “2”',
        scopes: ['devices:write'],
        createdMs: 5,
        expiresMs: null,
        ...details,
      }
      expect(await store.insert(key, 20)).toBe(true)
      return key
    }
    return { ...harness, owner, stranger, insert }
  }

  describe('API keys', () => {
    test('are found by their hash with their user, and listed oldest first', async () => {
      const { store, owner, stranger, insert } = await setUp()
      const first = await insert({ scopes: ['devices:read', 'devices:write'], expiresMs: 99 })
      const second = await insert()
      await insert({ userKey: stranger })
      const { id, scopes } = first
      expect(await store.find(first.keyHash)).toMatchObject({
        id,
        scopes,
        lastUsedMs: null,
        expiresMs: 99,
        user: { userKey: owner, isNamePublic: false },
      })
      expect(await store.find(randomBytes(32))).toBeUndefined()
      const listed = [first, second].map(({ userKey: _user, keyHash: _hash, ...key }) =>
        Object.assign(key, { lastUsedMs: null }),
      )
      expect(await store.list(owner)).toEqual(listed)
    })

    test('S52 never exceed the limit, even under simultaneous calls', async () => {
      const { store, owner, insert } = await setUp()
      const key = await insert()
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, () =>
          store.insert({ ...key, id: randomUUID(), keyHash: randomBytes(32) }, 3),
        ),
      )
      expect(outcomes.filter(Boolean)).toHaveLength(2)
      expect(await store.list(owner)).toHaveLength(3)
    })

    test('S23 are revoked only by their owner', async () => {
      const { store, owner, stranger, insert } = await setUp()
      const { id, name, keyHash } = await insert()
      expect(await store.delete(stranger, id)).toBeUndefined()
      expect(await store.find(keyHash)).toBeDefined()
      expect(await store.delete(owner, id)).toBe(name)
      expect(await store.delete(owner, id)).toBeUndefined()
      expect(await store.find(keyHash)).toBeUndefined()
    })

    test('record their last use', async () => {
      const { store, owner, insert } = await setUp()
      const { keyHash } = await insert()
      await store.recordUse(keyHash, 77)
      expect((await store.find(keyHash))?.lastUsedMs).toBe(77)
      expect((await store.list(owner))[0]?.lastUsedMs).toBe(77)
    })

    test('of a disabled user are not found', async () => {
      const { store, owner, insert, disableUser } = await setUp()
      const { keyHash } = await insert()
      await disableUser(owner)
      expect(await store.find(keyHash)).toBeUndefined()
    })

    test('are deleted after they expire, and others stay', async () => {
      const { store, owner, insert } = await setUp()
      await insert({ expiresMs: 10 })
      const kept = [await insert({ expiresMs: 11 }), await insert()]
      await store.deleteExpired(10)
      expect((await store.list(owner)).map(({ id }) => id)).toEqual(kept.map(({ id }) => id))
    })
  })
}
