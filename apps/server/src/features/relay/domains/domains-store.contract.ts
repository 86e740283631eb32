import { describe, expect, test } from 'vitest'
import type { ClaimId, DomainsStore } from './domains-store.ts'

export interface DomainsStoreHarness {
  readonly store: DomainsStore
  readonly insertUser: () => Promise<number>
  readonly insertIsland: (hostKey: number) => Promise<{ readonly key: number; readonly id: string }>
  readonly deleteIsland: (key: number) => Promise<void>
  /** Inserts grants for these host names. @returns which of them are left */
  readonly grantsFor: (
    islandKey: number,
    hostNames: readonly string[],
  ) => Promise<() => Promise<readonly string[]>>
  /** The islands whose change was published since the last call. */
  readonly takeChanged: () => readonly number[]
}

const domain = 'bar.example'
const otherCode = () => 'new code'

/** What every store of domains must do, on any database. */
export function domainsStoreContract(open: () => Promise<DomainsStoreHarness>): void {
  async function setUp() {
    const harness = await open()
    const { store, insertUser, insertIsland } = harness
    const host = await insertUser()
    const islands = [await insertIsland(host), await insertIsland(host)] as const
    const claim = async (at: 0 | 1, name = domain, isInLogs = true): Promise<ClaimId> => {
      const id = { islandKey: islands[at].key, domain: name, code: `code ${at} ${name}` }
      await store.claim({ ...id, isInLogs, atMs: 5 })
      return id
    }
    const prove = (id: ClaimId, atMs = 10) => store.prove(id, { atMs, otherCode })
    return { ...harness, host, islands, claim, prove }
  }

  describe('a claim', () => {
    test('R57 reserves nothing without a proof', async () => {
      const { store, claim, prove } = await setUp()
      const [first, second] = [await claim(0), await claim(1)]
      expect(await store.find(first.islandKey)).toMatchObject({
        ...first,
        provenMs: null,
        lost: null,
      })
      await prove(second)
      expect(await store.find(second.islandKey)).toMatchObject({ provenMs: 10 })
      expect(await store.find(first.islandKey)).toMatchObject({ provenMs: null, lost: null })
    })

    test('keeps its code and proof when its host names the same domain again', async () => {
      const { store, claim, prove } = await setUp()
      const first = await claim(0)
      await prove(first)
      await store.claim({ ...first, code: 'another', isInLogs: false, atMs: 20 })
      const kept = await store.find(first.islandKey)
      expect(kept).toMatchObject({ code: first.code, provenMs: 10, isInLogs: false })
    })

    test('R59 ends with its grants when its host names another domain, or removes it', async () => {
      const { store, claim, prove, grantsFor, takeChanged, islands } = await setUp()
      const [{ key }] = islands
      await prove(await claim(0))
      const left = await grantsFor(key, [domain, 'harbor.islands.example'])
      await claim(0, 'other.example')
      expect(await store.find(key)).toMatchObject({ domain: 'other.example', provenMs: null })
      expect(await left()).toEqual(['harbor.islands.example'])
      takeChanged()
      await store.remove(key)
      expect(await store.find(key)).toBeUndefined()
      expect(takeChanged()).toEqual([key])
      await store.remove(key)
      expect(takeChanged()).toEqual([])
    })

    test('is listed for the island’s host, and goes with the island', async () => {
      const { store, host, claim, islands, insertUser, deleteIsland } = await setUp()
      const first = await claim(0)
      expect(await store.listOf(host)).toMatchObject([{ ...first, islandId: islands[0].id }])
      expect(await store.listOf(await insertUser())).toEqual([])
      await deleteIsland(first.islandKey)
      expect(await store.find(first.islandKey)).toBeUndefined()
    })
  })

  describe('a proof', () => {
    test('R57 is the newest, ends the older one, and only a new record could win it back', async () => {
      const { store, claim, prove, grantsFor, takeChanged } = await setUp()
      const [first, second] = [await claim(0), await claim(1)]
      await prove(first)
      const left = await grantsFor(first.islandKey, [domain])
      takeChanged()
      await prove(second, 20)
      expect(await store.find(second.islandKey)).toMatchObject({ provenMs: 20 })
      expect(await store.find(first.islandKey)).toMatchObject({
        code: 'new code',
        provenMs: null,
        lost: { atMs: 20, reason: 'taken' },
      })
      expect(await left()).toEqual([])
      expect(new Set(takeChanged())).toEqual(new Set([first.islandKey, second.islandKey]))
      await prove(first, 30)
      expect(await store.find(first.islandKey)).toMatchObject({ provenMs: null })
      await prove({ ...first, code: 'new code' }, 30)
      expect(await store.find(first.islandKey)).toMatchObject({ provenMs: 30, lost: null })
      expect(await store.find(second.islandKey)).toMatchObject({ lost: { reason: 'taken' } })
    })

    test('R57 holds for one island, however many prove the domain at once', async () => {
      const { store, claim, prove } = await setUp()
      const claims = [await claim(0), await claim(1)]
      await Promise.all([...claims, ...claims].map((id) => prove(id)))
      const found = await Promise.all(claims.map(({ islandKey }) => store.find(islandKey)))
      expect(found.filter((one) => one?.provenMs !== null)).toHaveLength(1)
    })

    test('of a claim that changed meanwhile counts for nothing', async () => {
      const { store, claim, prove } = await setUp()
      const first = await claim(0)
      await claim(0, 'other.example')
      await prove(first)
      expect(await store.find(first.islandKey)).toMatchObject({ provenMs: null })
    })

    test('is due for a check after a day, or after an hour in doubt', async () => {
      const { store, claim, prove } = await setUp()
      const first = await claim(0)
      expect(await store.listDue(1000, 1000, 9)).toEqual([])
      await prove(first, 100)
      expect(await store.listDue(99, 1000, 9)).toEqual([])
      expect(await store.listDue(100, 0, 9)).toMatchObject([first])
      await store.recordCheck(first, { atMs: 200, missingMs: 200, unansweredMs: null })
      expect(await store.listDue(199, 199, 9)).toEqual([])
      expect(await store.listDue(0, 200, 9)).toMatchObject([{ ...first, missingMs: 200 }])
      await store.recordCheck(first, { atMs: 300, missingMs: null, unansweredMs: null })
      expect(await store.listDue(299, 1000, 9)).toEqual([])
    })

    test('R59 that is lost is listed until its host has a message', async () => {
      const { store, host, claim, prove, takeChanged } = await setUp()
      const first = await claim(0)
      const loss = { atMs: 40, reason: 'missing' } as const
      await store.lose(first, loss)
      expect(await store.listLost(9, 0)).toEqual([])
      await prove(first)
      takeChanged()
      await store.lose(first, loss)
      expect(takeChanged()).toEqual([first.islandKey])
      expect(await store.find(first.islandKey)).toMatchObject({ code: first.code, lost: loss })
      expect(await store.listLost(9, 0)).toMatchObject([
        { islandKey: first.islandKey, domain, reason: 'missing', hostKey: host },
      ])
      await store.recordAlert(first.islandKey, 50)
      expect(await store.listLost(9, 0)).toEqual([])
      await prove(first, 60)
      await store.lose(first, { ...loss, atMs: 70 })
      expect(await store.listLost(9, 0)).toHaveLength(1)
      expect(await store.listLost(9, first.islandKey)).toEqual([])
    })
  })

  test('R60 new domains get certificates within a limit for their host and one for all', async () => {
    const { store, host, claim, prove, insertUser } = await setUp()
    const limit = { atMs: 100, sinceMs: 0, perHost: 2, max: 4 }
    const ask = (name: string, hostKey = host, changes = {}) =>
      store.claimCertificate(name, { ...limit, hostKey, ...changes })
    const asked = await Promise.all(['a', 'b', 'c', 'a'].map((name) => ask(`${name}.example`)))
    expect(asked.filter(Boolean)).toHaveLength(3)
    expect(await ask('a.example')).toBe(true)
    expect(await ask('d.example')).toBe(false)
    expect(await ask('d.example', host, { atMs: 200, sinceMs: 100 })).toBe(true)
    const other = await insertUser()
    expect(await ask('e.example', other)).toBe(true)
    expect(await ask('f.example', other)).toBe(false)

    await prove(await claim(0, 'a.example'))
    expect(await store.deleteCertificates(100)).toBe(2)
    expect(await ask('f.example', other)).toBe(true)
  })
}
