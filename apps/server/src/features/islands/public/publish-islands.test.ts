import { expect, test } from 'vitest'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import { islandFacts } from '../testing/island-facts.ts'
import { Topic } from '../../../topic.ts'
import { CachedIslands } from './cached-islands.ts'
import { ListedIslands } from './listed-islands.ts'
import { publishIslands, type IslandEvent } from './publish-islands.ts'

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
  const cached = new CachedIslands({
    clock: () => 0,
    presence: {
      status: () => 'unknown',
      statusSince: () => Promise.reject(new Error('not asked')),
    },
  })
  const stored = new Map([[facts.key, facts]])
  let isAvailable = true
  const events = new Topic<[event: IslandEvent]>()
  const published: IslandEvent[] = []
  events.subscribe((event) => published.push(event))
  const publisher = publishIslands({
    store: {
      read: async (keys) => {
        if (!isAvailable) throw new StorageUnavailable('it is unavailable')
        return keys.flatMap((key) => stored.get(key) ?? [])
      },
    },
    cached,
    listed: new ListedIslands(() => 0),
    messages: { note: () => undefined, withdraw: () => undefined, clear: () => undefined },
    events,
    withdraw: () => undefined,
  })
  publisher.load(facts)
  const setAvailable = (now: boolean) => {
    isAvailable = now
  }
  return { ...publisher, stored, published, setAvailable, find: () => cached.find(facts.key) }
}

const of = (kind: 'changed' | 'gone', ...userKeys: number[]) => ({
  kind,
  islandKey: 1,
  id: 'one',
  userKeys,
})

test('a change is published once memory has it, for the new and the old host', async () => {
  const { publishChanged, stored, published } = setUp()
  stored.set(1, { ...facts, hostKey: 8 })
  await publishChanged([1, 2])
  expect(published).toEqual([of('changed', 8, 7)])
})

test('S57 a change that storage can’t return at once is published when it can, for the old host too', async () => {
  const { publishChanged, publishPending, stored, published, setAvailable, find } = setUp()
  setAvailable(false)
  await expect(publishChanged([1])).rejects.toThrow(StorageUnavailable)
  await expect(publishChanged([1])).rejects.toThrow(StorageUnavailable)
  await expect(publishPending()).rejects.toThrow(StorageUnavailable)
  expect(published).toEqual([])
  setAvailable(true)
  stored.delete(1)
  await publishPending()
  expect(find()).toBeUndefined()
  expect(published).toEqual([of('gone', 7)])
  await publishPending()
  expect(published).toHaveLength(1)
})
