import { describe, expect, test } from 'vitest'
import type { LlmUsageStore } from './llm-usage-store.ts'

export interface LlmUsageStoreHarness {
  readonly store: LlmUsageStore
  readonly insertUser: () => Promise<number>
}

const day = '2030-01-31'
const nextDay = '2030-02-01'

/** What every store of the language model's use must do, whatever database is behind it. */
export function llmUsageStoreContract(open: () => Promise<LlmUsageStoreHarness>): void {
  async function setUp() {
    const { store, insertUser } = await open()
    return { store, owner: await insertUser(), stranger: await insertUser() }
  }

  describe('S35 a budget', () => {
    test('takes calls up to its number, and no more', async () => {
      const { store, owner } = await setUp()
      const budget = { calls: 2, tokens: 1000 }
      const reserve = () => store.reserve(owner, day, 1, budget)
      expect([await reserve(), await reserve(), await reserve()]).toEqual([true, true, false])
    })

    test('takes a call that fits its tokens to the last one, and counts nothing of one that does not', async () => {
      const { store, owner } = await setUp()
      const budget = { calls: 10, tokens: 100 }
      expect(await store.reserve(owner, day, 60, budget)).toBe(true)
      expect(await store.reserve(owner, day, 41, budget)).toBe(false)
      expect(await store.reserve(owner, day, 40, budget)).toBe(true)
    })

    test('holds under simultaneous calls', async () => {
      const { store, owner } = await setUp()
      const budget = { calls: 100, tokens: 50 }
      const taken = await Promise.all(
        Array.from({ length: 20 }, () => store.reserve(owner, day, 10, budget)),
      )
      expect(taken.filter(Boolean)).toHaveLength(5)
    })

    test('is one user’s and one day’s', async () => {
      const { store, owner, stranger } = await setUp()
      const budget = { calls: 1, tokens: 10 }
      expect(await store.reserve(owner, day, 10, budget)).toBe(true)
      expect(await store.reserve(stranger, day, 10, budget)).toBe(true)
      expect(await store.reserve(owner, nextDay, 10, budget)).toBe(true)
    })

    test('gets back what a call did not cost, and is charged what it cost beyond', async () => {
      const { store, owner } = await setUp()
      const budget = { calls: 10, tokens: 100 }
      await store.reserve(owner, day, 100, budget)
      await store.giveBack(owner, day, 30)
      expect(await store.reserve(owner, day, 30, budget)).toBe(true)
      await store.giveBack(owner, day, -20)
      await store.giveBack(owner, day, 19)
      expect(await store.reserve(owner, day, 1, budget)).toBe(false)
    })
  })
}
