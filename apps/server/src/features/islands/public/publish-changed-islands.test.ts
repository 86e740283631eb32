import { expect, test } from 'vitest'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import { islandFacts } from '../testing/island-facts.ts'
import { Topic } from '../../../topic.ts'
import type { IslandEvent } from './island-events.ts'
import { CachedIslands, type CachedIsland } from './cached-islands.ts'
import { takeOverIslands } from './take-over-islands.ts'
import { publishChangedIslands } from './publish-changed-islands.ts'

const facts = islandFacts({
  id: 'one',
  hostKey: 7,
  slug: 'one',
  name: 'One',
  isListed: true,
  publishedMs: 0,
  hasAddress: false,
  carrier: null,
})

/** One island in memory and in a storage that may be unavailable. */
function setUp() {
  const known = new CachedIslands({
    clock: () => 0,
    presence: {
      status: () => 'unknown',
      statusSince: () => Promise.reject(new Error('not asked')),
    },
  })
  known.set(facts)
  const stored = new Map([[facts.key, facts]])
  let isAway = false
  const unread = takeOverIslands({
    store: {
      read: async (keys) => {
        if (isAway) throw new StorageUnavailable('it is away')
        return keys.flatMap((key) => stored.get(key) ?? [])
      },
    },
    publisher: {
      noteIsland: (island) => known.set(island),
      noteEnd: (islandKey) => known.delete(islandKey),
    },
  })
  const takeOver = (keys: readonly number[]) => unread.add(...keys)
  const events = new Topic<[event: IslandEvent]>()
  const told: IslandEvent[] = []
  events.subscribe((event) => told.push(event))
  const setAway = (now: boolean) => {
    isAway = now
  }
  const find = (): CachedIsland | undefined => known.find(facts.key)
  return { ...publishChangedIslands({ known, events, takeOver }), stored, told, setAway, find }
}

const of = (kind: 'changed' | 'gone', ...userKeys: number[]) => ({
  kind,
  islandKey: 1,
  id: 'one',
  userKeys,
})

test('what changed is told once memory has it, with whom it concerns', async () => {
  const { tellChanged, stored, told } = setUp()
  stored.set(1, { ...facts, hostKey: 8 })
  await tellChanged([1, 2], [9])
  expect(told).toEqual([of('changed', 9, 8, 7)])
})

test('S57 what storage could not say just after a change is told when it can, to all whom it concerns', async () => {
  const { tellChanged, tellUntold, stored, told, setAway, find } = setUp()
  setAway(true)
  await expect(tellChanged([1], [9])).rejects.toThrow(StorageUnavailable)
  await expect(tellChanged([1], [10])).rejects.toThrow(StorageUnavailable)
  await expect(tellUntold()).rejects.toThrow(StorageUnavailable)
  expect(told).toEqual([])
  setAway(false)
  stored.delete(1)
  await tellUntold()
  expect(find()).toBeUndefined()
  expect(told).toEqual([of('gone', 9, 10, 7)])
  await tellUntold()
  expect(told).toHaveLength(1)
})
