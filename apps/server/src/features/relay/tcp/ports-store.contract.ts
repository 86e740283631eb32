import { describe, expect, test } from 'vitest'
import type { PortsStore } from './ports-store.ts'

export interface PortsStoreHarness {
  readonly store: PortsStore
  readonly insertUser: () => Promise<number>
  /** Inserts an island that the relay carries. */
  readonly insertIsland: (hostKey: number) => Promise<{ readonly key: number; readonly id: string }>
  readonly setRelayed: (islandKey: number, isRelayed: boolean) => Promise<void>
  readonly deleteIsland: (islandKey: number) => Promise<void>
}

const range = { first: 25_001, last: 25_002 }

/** What every ports store must do, on any database. */
export function portsStoreContract(open: () => Promise<PortsStoreHarness>): void {
  async function setUp() {
    const harness = await open()
    const { store, insertUser, insertIsland } = harness
    const host = await insertUser()
    const islands = [
      await insertIsland(host),
      await insertIsland(host),
      await insertIsland(host),
    ] as const
    /** Ports given back up to `freedUntilMs` are free. */
    const take = (islandId: string, { atMs = 100, freedUntilMs = 0, ports = range } = {}) =>
      store.take({ userKey: host, islandId, range: ports, atMs, freedUntilMs })
    return { ...harness, host, islands, take }
  }

  describe('an island', () => {
    test('gets a port of its own and keeps it however often it asks, until none is left', async () => {
      const { store, islands, take } = await setUp()
      const [one, two, three] = islands
      expect(await take(one.id)).toEqual({ islandKey: one.key, port: 25_001 })
      expect(await take(one.id)).toEqual({ islandKey: one.key, port: 25_001 })
      expect(await take(two.id)).toEqual({ islandKey: two.key, port: 25_002 })
      expect(await take(three.id)).toBe('none-free')
      expect(await store.find(two.key)).toBe(25_002)
      expect(await store.find(three.key)).toBeUndefined()
      expect((await store.list()).toSorted((a, b) => a.port - b.port)).toEqual([
        { islandKey: one.key, port: 25_001 },
        { islandKey: two.key, port: 25_002 },
      ])
    })

    test('gets a port of its own, however many ask at once', async () => {
      const { islands, take } = await setUp()
      const taken = await Promise.all(
        [...islands, ...islands].map(async ({ id }) => {
          const outcome = await take(id)
          return typeof outcome === 'string' ? outcome : outcome.port
        }),
      )
      expect(new Set(taken)).toEqual(new Set([25_001, 25_002, 'none-free']))
      expect(taken.slice(0, 3)).toEqual(taken.slice(3))
    })

    test('of another host, or without the relay, gets none', async () => {
      const { store, islands, insertUser, setRelayed, take } = await setUp()
      const [one, two] = islands
      const wish = { islandId: one.id, range, atMs: 1, freedUntilMs: 0 }
      expect(await store.take({ ...wish, userKey: await insertUser() })).toBe('no-island')
      expect(await take('unknown')).toBe('no-island')
      await setRelayed(two.key, false)
      expect(await take(two.id)).toBe('not-relayed')
      expect(await store.list()).toEqual([])
    })

    test('whose port is no longer given out gets another one', async () => {
      const { islands, take } = await setUp()
      const [one, two] = islands
      await take(one.id)
      const ports = { first: 26_000, last: 26_000 }
      expect(await take(one.id, { ports })).toMatchObject({ port: 26_000 })
      expect(await take(two.id)).toMatchObject({ port: 25_002 })
    })
  })

  describe('R35 a port', () => {
    test('that is given back goes to no other island for a while, but to its own at once', async () => {
      const { store, host, islands, take } = await setUp()
      const [one, two, three] = islands
      await take(one.id)
      await take(two.id)
      expect(await store.giveBack(host, one.id, 500)).toEqual({ islandKey: one.key, hadPort: true })
      expect(await store.giveBack(host, one.id, 600)).toEqual({
        islandKey: one.key,
        hadPort: false,
      })
      expect(await store.find(one.key)).toBeUndefined()
      expect(await take(three.id, { freedUntilMs: 499 })).toBe('none-free')
      expect(await take(one.id, { freedUntilMs: 499 })).toMatchObject({ port: 25_001 })
      await store.giveBack(host, one.id, 700)
      expect(await take(three.id, { freedUntilMs: 700 })).toMatchObject({ port: 25_001 })
      expect(await take(one.id, { freedUntilMs: 700 })).toBe('none-free')
    })

    test('can only be given back by its host', async () => {
      const { store, islands, insertUser, take } = await setUp()
      await take(islands[0].id)
      expect(await store.giveBack(await insertUser(), islands[0].id, 5)).toBeUndefined()
      expect(await store.find(islands[0].key)).toBe(25_001)
    })

    test('of an island that is deleted or no longer relayed is free from then on', async () => {
      const { store, islands, setRelayed, deleteIsland, take } = await setUp()
      const [one, two, three] = islands
      await take(one.id)
      await take(two.id)
      await deleteIsland(one.key)
      await setRelayed(two.key, false)
      expect(await store.list()).toEqual([])
      expect(await store.find(two.key)).toBeUndefined()
      // Until `freeUnused` runs, nobody knows since when it is unused.
      expect(await take(three.id, { freedUntilMs: 10_000 })).toBe('none-free')
      await store.freeUnused(800)
      await store.freeUnused(900)
      expect(await take(three.id, { freedUntilMs: 799 })).toBe('none-free')
      expect(await take(three.id, { freedUntilMs: 800 })).toMatchObject({ islandKey: three.key })
    })
  })
}
