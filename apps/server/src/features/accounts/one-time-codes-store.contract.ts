import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { NewCode, OneTimeCodesStore } from './one-time-codes-store.ts'

export interface OneTimeCodesHarness {
  readonly codes: OneTimeCodesStore
  readonly insertUser: () => Promise<number>
}

/** What every store of one-time codes must do. */
export function describeOneTimeCodesStore(open: () => Promise<OneTimeCodesHarness>): void {
  describe('one-time codes', () => {
    test('a code is found by its hash, for its purpose, until it expires', async () => {
      const { codes, insertUser } = await open()
      const userKey = await insertUser()
      const code = newCode(userKey, { expiresMs: 1000 })
      await codes.insert(code, 3)
      expect(await codes.findPasswordCode(code.codeHash, 999)).toMatchObject({ userKey })
      expect(await codes.findPasswordCode(code.codeHash, 1000)).toBeUndefined()
      expect(await codes.findPasswordCode(randomBytes(32), 0)).toBeUndefined()
      expect(await codes.confirmEmail(code.codeHash, 0)).toBeUndefined()
      expect(await codes.findPasswordCode(code.codeHash, 0)).toBeDefined()
    })

    test('S52 beyond the limit, the oldest codes of that user and purpose are deleted', async () => {
      const { codes, insertUser } = await open()
      const [userKey, other] = [await insertUser(), await insertUser()]
      const kept = [newCode(other), newCode(userKey, { purpose: 'email', email: 'a@b.example' })]
      const own = [newCode(userKey), newCode(userKey), newCode(userKey)]
      for (const code of [...kept, ...own]) await codes.insert(code, 2)
      const found = await Promise.all(
        own.map(({ codeHash }) => codes.findPasswordCode(codeHash, 0)),
      )
      expect(found.map((one) => one !== undefined)).toEqual([false, true, true])
      expect(await codes.findPasswordCode(kept[0]?.codeHash ?? new Uint8Array(), 0)).toBeDefined()
      expect((await codes.findEmail(userKey, 0)).pending?.address).toBe('a@b.example')
    })

    test('only expired codes are deleted', async () => {
      const { codes, insertUser } = await open()
      const userKey = await insertUser()
      const late = newCode(userKey, { expiresMs: 1001 })
      await codes.insert(newCode(userKey, { expiresMs: 1000 }), 5)
      await codes.insert(late, 5)
      expect(await codes.deleteExpired(1000)).toBe(1)
      expect(await codes.findPasswordCode(late.codeHash, 0)).toBeDefined()
    })

    test('a confirmed address replaces the previous one and ends all codes', async () => {
      const { codes, insertUser } = await open()
      const userKey = await insertUser()
      const confirm = async (email: string) => {
        const code = newCode(userKey, { purpose: 'email', email })
        await codes.insert(code, 1)
        return await codes.confirmEmail(code.codeHash, 0)
      }
      expect(await confirm('A@b.example')).toMatchObject({ address: 'A@b.example', former: null })
      const lost = newCode(userKey)
      await codes.insert(lost, 3)
      expect(await confirm('c@d.example')).toMatchObject({ userKey, former: 'A@b.example' })
      expect(await codes.findEmail(userKey, 0)).toEqual({ address: 'c@d.example', pending: null })
      expect(await codes.findPasswordCode(lost.codeHash, 0)).toBeUndefined()
      expect(await codes.removeEmail(userKey)).toBe('c@d.example')
      expect(await codes.removeEmail(userKey)).toBeNull()
    })

    test('S40 an address is found ignoring case, and no character is a wildcard', async () => {
      const { codes, insertUser } = await open()
      const keys = [await insertUser(), await insertUser(), await insertUser()]
      for (const userKey of keys) {
        const email = userKey === keys[2] ? 'aXb@c.example' : 'A_b@c.example'
        const code = newCode(userKey, { purpose: 'email', email })
        await codes.insert(code, 1)
        await codes.confirmEmail(code.codeHash, 0)
      }
      const found = await codes.findEmailOwners('a_B@C.example', 5)
      expect(found.map(({ userKey }) => userKey)).toEqual(keys.slice(0, 2))
      expect(await codes.findEmailOwners('a_b@c.example', 1)).toHaveLength(1)
      expect(await codes.findEmailOwners('a%@c.example', 5)).toEqual([])
    })
  })
}

function newCode(userKey: number, changes: Partial<NewCode> = {}): NewCode {
  const code = { codeHash: randomBytes(32), userKey, email: null, expiresMs: 10_000 }
  return { purpose: 'password', ...code, ...changes }
}
