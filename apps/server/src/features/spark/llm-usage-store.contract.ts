import { describe, expect, test } from 'vitest'
import type { LlmUsageStore } from './llm-usage-store.ts'

export interface LlmUsageStoreHarness {
  readonly store: LlmUsageStore
  readonly insertUser: () => Promise<number>
}

const day = '2030-01-31'
const plenty = { calls: 1000, tokens: 100_000 }
const nextDay = '2030-02-01'

/** What every store of the language model's use must do, on any database. */
export function llmUsageStoreContract(open: () => Promise<LlmUsageStoreHarness>): void {
  async function setUp() {
    const { store, insertUser } = await open()
    return { store, owner: await insertUser(), stranger: await insertUser() }
  }

  describe('S35 a budget', () => {
    test('takes calls up to its number, and no more', async () => {
      const { store, owner } = await setUp()
      const budget = { calls: 2, tokens: 1000 }
      const reserve = () => store.reserve(owner, day, 1, budget, plenty)
      expect([await reserve(), await reserve(), await reserve()]).toEqual([true, true, false])
    })

    test('takes a call that fits its tokens to the last one, and counts nothing of one that does not', async () => {
      const { store, owner } = await setUp()
      const budget = { calls: 10, tokens: 100 }
      expect(await store.reserve(owner, day, 60, budget, plenty)).toBe(true)
      expect(await store.reserve(owner, day, 41, budget, plenty)).toBe(false)
      expect(await store.reserve(owner, day, 40, budget, plenty)).toBe(true)
    })

    test('holds under simultaneous calls', async () => {
      const { store, owner } = await setUp()
      const budget = { calls: 100, tokens: 50 }
      const taken = await Promise.all(
        Array.from({ length: 20 }, () => store.reserve(owner, day, 10, budget, plenty)),
      )
      expect(taken.filter(Boolean)).toHaveLength(5)
    })

    test('S52 of all users together applies besides each user’s own, for a day', async () => {
      const { store, owner, stranger } = await setUp()
      const budget = { calls: 10, tokens: 100 }
      const reserve = (user: number, tokens: number, on = day) =>
        store.reserve(user, on, tokens, budget, { calls: 3, tokens: 50 })
      expect(await reserve(owner, 30)).toBe(true)
      expect(await reserve(stranger, 21)).toBe(false)
      expect(await reserve(stranger, 20)).toBe(true)
      await store.giveBack(owner, day, 30)
      expect(await reserve(stranger, 1)).toBe(true)
      expect(await reserve(owner, 1)).toBe(false)
      expect(await reserve(owner, 1, nextDay)).toBe(true)
    })

    test('the usage of one user is listed, and of nobody else', async () => {
      const { store, owner, stranger } = await setUp()
      await store.reserve(owner, day, 7, plenty, plenty)
      expect(await store.list(owner)).toEqual([{ day, calls: 1, tokens: 7 }])
      expect(await store.list(stranger)).toEqual([])
    })

    test('is one user’s and one day’s', async () => {
      const { store, owner, stranger } = await setUp()
      const budget = { calls: 1, tokens: 10 }
      expect(await store.reserve(owner, day, 10, budget, plenty)).toBe(true)
      expect(await store.reserve(stranger, day, 10, budget, plenty)).toBe(true)
      expect(await store.reserve(owner, nextDay, 10, budget, plenty)).toBe(true)
    })

    test('gets back what a call did not cost, and is charged what it cost beyond', async () => {
      const { store, owner } = await setUp()
      const budget = { calls: 10, tokens: 100 }
      await store.reserve(owner, day, 100, budget, plenty)
      await store.giveBack(owner, day, 30)
      expect(await store.reserve(owner, day, 30, budget, plenty)).toBe(true)
      await store.giveBack(owner, day, -20)
      await store.giveBack(owner, day, 19)
      expect(await store.reserve(owner, day, 1, budget, plenty)).toBe(false)
    })
  })
}
