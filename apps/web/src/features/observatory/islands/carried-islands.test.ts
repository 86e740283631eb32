import type { IslandCard } from '@astropelago/contract/islands'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { FeedState, LiveFeed } from '../../../lib/live-feed/live-feed.ts'
import { sampleIsland } from '../../../test/sample-island.ts'
import { sampleNeighbourIsland } from '../../../test/sample-neighbour.ts'
import { carriedIslands } from './carried-islands.ts'

const position = { epoch: 'e', number: 7 }
const bar = sampleIsland({ id: 'bar', name: 'Harbor Bar', deviceId: 'mast' })
const library = sampleIsland({ id: 'library', name: 'Old Library', deviceId: 'cellar' })
/** Has a private carrier, or none. */
const elsewhere = sampleIsland({ id: 'elsewhere', deviceId: null })

type Reader = Parameters<LiveFeed['join']>[0]
type Subscription = ReturnType<LiveFeed['join']>
type FetchList = NonNullable<Parameters<typeof carriedIslands.follow>[0]['fetchList']>

/** Follows these islands with a feed that the test controls. */
async function follow(listed: readonly IslandCard[], phase: 'live' | 'polling' = 'live') {
  vi.useFakeTimers()
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }))
  const readers: Reader[] = []
  const subscription = {
    startAt: vi.fn<Subscription['startAt']>(),
    forget: vi.fn<Subscription['forget']>(),
    leave: vi.fn<Subscription['leave']>(),
  }
  const state: FeedState = phase === 'live' ? { phase } : { phase, error: 'SSE error' }
  const fetchList = vi.fn<FetchList>(async () => ({ islands: listed, position }))
  const stop = carriedIslands.follow({
    feed: {
      state,
      subscribe: () => () => undefined,
      join: (reader) => {
        readers.push(reader)
        return subscription
      },
    },
    fetchList,
  })
  const told = vi.fn<() => void>()
  const unsubscribe = carriedIslands.subscribe(told)
  onTestFinished(() => {
    unsubscribe()
    stop()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  await vi.advanceTimersByTimeAsync(0)
  return {
    fetchList,
    subscription,
    told,
    stop,
    change: (...changedIslands: IslandCard[]) => tell({ changedIslands }),
    remove: (...removedIslandIds: string[]) => tell({ removedIslandIds }),
    reload: () => readers.forEach(({ onReload }) => onReload()),
  }

  function tell(changes: Partial<Parameters<Reader['onChanges']>[0]>): void {
    const none = { changed: [], removedIds: [], changedIslands: [], removedIslandIds: [] }
    for (const { onChanges } of readers) onChanges({ ...none, ...changes, position })
  }
}

const nameAt = (deviceId: string) => carriedIslands.at(deviceId)?.name

test('an island is shown at its carrier; an island with a private carrier is not shown', async () => {
  const { subscription, told, stop } = await follow([bar, elsewhere, library])
  expect(carriedIslands.deviceIds().toSorted()).toEqual(['cellar', 'mast'])
  expect([nameAt('mast'), nameAt('cellar'), nameAt('attic')]).toEqual([
    'Harbor Bar',
    'Old Library',
    undefined,
  ])
  expect(subscription.startAt).toHaveBeenCalledExactlyOnceWith(position)
  expect(told).toHaveBeenCalledTimes(1)
  stop()
  expect(carriedIslands.deviceIds()).toEqual([])
  expect(subscription.leave).toHaveBeenCalledTimes(1)
})

test('the feed adds, renames, moves, hides and removes islands', async () => {
  const { change, remove, told } = await follow([bar])
  change(library, { ...bar, name: 'Harbor Café' })
  expect([nameAt('mast'), nameAt('cellar')]).toEqual(['Harbor Café', 'Old Library'])
  change({ ...bar, deviceId: 'attic' })
  expect([nameAt('mast'), nameAt('attic')]).toEqual([undefined, 'Harbor Bar'])
  change({ ...bar, deviceId: null })
  expect(carriedIslands.deviceIds()).toEqual(['cellar'])
  remove('library')
  expect(carriedIslands.deviceIds()).toEqual([])
  expect(told).toHaveBeenCalledTimes(5)
})

test('a device with several islands shows the first, and the next one when it is gone', async () => {
  const { remove } = await follow([bar, { ...library, deviceId: 'mast' }])
  expect(carriedIslands.deviceIds()).toEqual(['mast'])
  expect(nameAt('mast')).toBe('Harbor Bar')
  remove('bar')
  expect(nameAt('mast')).toBe('Old Library')
})

test('islands of neighbours are at their own devices, lead to their own pages, and stay when others go', async () => {
  const { stop } = await follow([bar])
  const cinema = sampleNeighbourIsland({ deviceId: 'reef:mast', isOpen: false })
  carriedIslands.showNeighbours([
    cinema,
    sampleNeighbourIsland({ slug: 'script', deviceId: 'reef:a', url: 'javascript:alert(1)' }),
    sampleNeighbourIsland({ slug: 'nowhere' }),
  ])
  onTestFinished(() => carriedIslands.showNeighbours([]))
  expect(carriedIslands.deviceIds().toSorted()).toEqual(['mast', 'reef:mast'])
  expect(carriedIslands.at('reef:mast')).toEqual({
    name: 'Coral Cinema',
    isOpen: false,
    state: 'closed',
    href: 'https://reef.example/islands/coral-cinema',
    isElsewhere: true,
  })
  stop()
  expect(carriedIslands.deviceIds()).toEqual(['reef:mast'])
  carriedIslands.showNeighbours([])
  expect(carriedIslands.deviceIds()).toEqual([])
})

test('while the feed is live the list is fetched once, and again on a reload', async () => {
  const { fetchList, reload } = await follow([bar])
  await vi.advanceTimersByTimeAsync(120_000)
  expect(fetchList).toHaveBeenCalledTimes(1)
  reload()
  expect(fetchList).toHaveBeenCalledTimes(2)
})

test('without a live feed the list is fetched every 30 s; a failure keeps the last one', async () => {
  const { fetchList } = await follow([bar], 'polling')
  fetchList.mockRejectedValueOnce(new Error('lost'))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(fetchList).toHaveBeenCalledTimes(2)
  expect(nameAt('mast')).toBe('Harbor Bar')
  fetchList.mockResolvedValueOnce({ islands: [library], position })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(carriedIslands.deviceIds()).toEqual(['cellar'])
})
