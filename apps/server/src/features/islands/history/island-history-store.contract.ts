import { describe, expect, test } from 'vitest'
import { dayMs } from '../../../history/time-spans.ts'
import type { VisibleSince } from '../access-policy.ts'
import {
  closingAlertsPerDay,
  type EventKind,
  type FoundState,
  type IslandHistoryStore,
} from './island-history-store.ts'

export interface IslandHistoryStoreHarness {
  readonly store: IslandHistoryStore
  readonly insertIsland: (
    hostKey?: number,
  ) => Promise<{ readonly key: number; readonly slug: string; readonly hostKey: number }>
  readonly deleteIsland: (key: number) => Promise<void>
  readonly knownSince: (islandKey: number) => Promise<VisibleSince | undefined>
}

const nobody = { members: false, users: false, everybody: false }
const maxEvents = 100

/** What every store of islands' histories must do. */
export function islandHistoryStoreContract(open: () => Promise<IslandHistoryStoreHarness>): void {
  async function setUp() {
    const harness = await open()
    const island = await harness.insertIsland()
    const find = (
      kind: EventKind,
      sinceMs: number,
      other: Partial<FoundState> = {},
    ): FoundState => ({
      islandKey: island.key,
      kind,
      sinceMs,
      firstMs: sinceMs,
      audience: nobody,
      ...other,
    })
    const note = (kind: EventKind, sinceMs: number, nowMs = sinceMs) =>
      harness.store.record([find(kind, sinceMs)], { nowMs, maxEvents })
    return { ...harness, island, find, note, read: (ms = 0) => harness.store.read(island.key, ms) }
  }

  describe('events of islands', () => {
    test('an unchanged state is no event, and neither is one that was never observed', async () => {
      const { note, read } = await setUp()
      await note('unobserved', 1)
      expect(await read()).toEqual([])
      for (const [at, kind] of (
        ['open', 'open', 'closed', 'unobserved', 'open'] as const
      ).entries())
        await note(kind, 10 + at)
      expect(await read()).toEqual([
        { atMs: 10, kind: 'open' },
        { atMs: 12, kind: 'closed' },
        { atMs: 13, kind: 'unobserved' },
        { atMs: 14, kind: 'open' },
      ])
    })

    test('the first one has the time of its first observation, and each is later than the one before', async () => {
      const { store, find, note, read } = await setUp()
      await store.record([find('open', 5, { firstMs: 20 })], { nowMs: 20, maxEvents })
      await note('closed', 7, 30)
      await note('open', 7, 29)
      expect(await read()).toEqual([
        { atMs: 20, kind: 'open' },
        { atMs: 30, kind: 'closed' },
        { atMs: 31, kind: 'open' },
      ])
    })

    test('are read from the last one before a time', async () => {
      const { note, read } = await setUp()
      for (const [at, kind] of (['open', 'closed', 'open'] as const).entries())
        await note(kind, at + 1)
      expect((await read(3)).map(({ atMs }) => atMs)).toEqual([2, 3])
      expect((await read(4)).map(({ atMs }) => atMs)).toEqual([3])
    })

    test('of many islands are recorded at once, except for deleted islands', async () => {
      const { store, island, find, insertIsland, deleteIsland } = await setUp()
      const [other, gone] = [await insertIsland(), await insertIsland()]
      await deleteIsland(gone.key)
      const found = [gone.key, other.key].map((islandKey) => find('closed', 4, { islandKey }))
      await store.record([...found, find('open', 3)], { nowMs: 4, maxEvents })
      expect(await store.read(island.key, 0)).toEqual([{ atMs: 3, kind: 'open' }])
      expect(await store.read(other.key, 0)).toEqual([{ atMs: 4, kind: 'closed' }])
      expect(await store.read(gone.key, 0)).toEqual([])
    })

    test('[HI5] the newest ones stay, and of old ones only the last', async () => {
      const { store, island, find, note, read, insertIsland } = await setUp()
      const other = await insertIsland()
      await store.record([find('open', 1, { islandKey: other.key })], { nowMs: 1, maxEvents })
      for (let at = 1; at <= 8; at += 1) {
        const found = [find(at % 2 === 0 ? 'closed' : 'open', at)]
        await store.record(found, { nowMs: at, maxEvents: 6 })
      }
      expect((await read()).map(({ atMs }) => atMs)).toEqual([3, 4, 5, 6, 7, 8])
      expect(await store.deleteOld(7, 2)).toBe(2)
      expect(await store.deleteOld(7, 2)).toBe(1)
      expect(await store.deleteOld(7, 2)).toBe(0)
      expect((await read()).map(({ atMs }) => atMs)).toEqual([6, 7, 8])
      await note('unobserved', 9)
      expect(await store.read(other.key, 0)).toHaveLength(1)
      expect(await store.countOf(island.hostKey)).toBe(4)
    })

    test('are read for an export, one of the user’s islands at a time', async () => {
      const { store, island, note, insertIsland } = await setUp()
      await insertIsland(island.hostKey)
      await note('open', 5)
      const read = async (userKey: number) => await Array.fromAsync(store.readOf(userKey))
      expect(await read(island.hostKey)).toEqual([
        { slug: island.slug, events: [{ atMs: 5, kind: 'open' }] },
      ])
      const stranger = await insertIsland()
      expect(await read(stranger.hostKey)).toEqual([])
      expect(await store.countOf(stranger.hostKey)).toBe(0)
    })
  })

  describe('[N20] changes to alert about', () => {
    test('are closings of open islands and what ended them, in order', async () => {
      const { store, island, note } = await setUp()
      for (const [at, kind] of (
        ['closed', 'open', 'closed', 'unobserved', 'closed', 'open'] as const
      ).entries())
        await note(kind, at + 1)
      expect(await readAlerts(store)).toEqual([
        ['open', 2],
        ['closed', 3],
        ['unobserved', 4],
        ['open', 6],
      ])
      const [first, second] = await store.readChanges(2)
      expect(first).toEqual({
        sequence: first?.sequence,
        islandKey: island.key,
        islandId: island.slug.slice('isle-'.length),
        hostKey: island.hostKey,
        atMs: 2,
        kind: 'open',
        alertedUserKey: 0,
      })
      expect(second?.sequence).toBeGreaterThan(first?.sequence ?? 0)
    })

    test('[N25] AL12 are limited to some closings in 24 hours for an island that flaps, each with its end', async () => {
      const { store, note } = await setUp()
      let at = dayMs
      const flap = async () => {
        await note('open', (at += 1))
        await note('closed', (at += 1))
      }
      for (let times = 0; times < closingAlertsPerDay + 2; times += 1) await flap()
      await note('unobserved', (at += 1))
      const kinds = (await store.readChanges(1000)).map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind === 'closed')).toHaveLength(closingAlertsPerDay)
      expect(kinds).toHaveLength(2 * closingAlertsPerDay + 1)
      expect(kinds.at(-1)).toBe('open')
      at += dayMs
      await flap()
      const calm = (await store.readChanges(1000)).slice(kinds.length)
      expect(calm.map(({ kind }) => kind)).toEqual(['open', 'closed'])
    })

    test('are deleted with their island, and when they are old', async () => {
      const { store, island, note, deleteIsland } = await setUp()
      await note('open', 1)
      await note('closed', 2)
      await store.deleteOld(2, 9)
      expect(await readAlerts(store)).toEqual([['closed', 2]])
      await deleteIsland(island.key)
      expect(await readAlerts(store)).toEqual([])
    })
  })

  describe('[HI4] users who may see an island', () => {
    test('are on record from when that was first found, and again after it ended', async () => {
      const { store, knownSince, island, find } = await setUp()
      const none = { membersMs: null, usersMs: null, everybodyMs: null }
      expect(await knownSince(island.key)).toEqual(none)
      const noteAudience = (nowMs: number, audience: FoundState['audience']) =>
        store.record([find('open', 1, { audience })], { nowMs, maxEvents })
      await noteAudience(1, { ...nobody, members: true })
      await noteAudience(2, { members: true, users: true, everybody: true })
      await noteAudience(3, { members: true, users: true, everybody: true })
      expect(await knownSince(island.key)).toEqual({
        membersMs: 1,
        usersMs: 2,
        everybodyMs: 2,
      })
      await noteAudience(4, { members: true, users: true, everybody: false })
      await noteAudience(5, { members: true, users: true, everybody: true })
      expect(await knownSince(island.key)).toEqual({
        membersMs: 1,
        usersMs: 2,
        everybodyMs: 5,
      })
      await noteAudience(6, nobody)
      expect(await knownSince(island.key)).toEqual(none)
    })
  })
}

async function readAlerts(store: IslandHistoryStore) {
  const changes = await store.readChanges(9)
  return changes.map(({ kind, atMs }) => [kind, atMs])
}
