import type { PublicDevice } from '@astropelago/contract/devices'
import type { FeedPosition } from '@astropelago/contract/feed'
import { beforeEach, expect, test, vi } from 'vitest'
import type { FeedSubscription, FeedReader, FeedState } from '../../../lib/live-feed/live-feed.ts'
import type { FromDecodeWorker, ToDecodeWorker } from './decode-worker.ts'
import { statusCodes } from './node-columns.ts'
import { createNodeSource } from './node-source.ts'
import { createNodeStore } from './node-store.ts'
import { NodeTable } from './node-table.ts'

const noIslands = { changedIslands: [], removedIslandIds: [] }

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

/** Replaces the worker and answers when the test says so. */
class FakeWorker extends EventTarget {
  readonly asked: ToDecodeWorker[] = []
  isTerminated = false
  postMessage(message: ToDecodeWorker): void {
    this.asked.push(message)
  }
  terminate(): void {
    this.isTerminated = true
  }
  async say(...messages: readonly FromDecodeWorker[]): Promise<void> {
    for (const data of messages) this.dispatchEvent(new MessageEvent('message', { data }))
    await vi.advanceTimersByTimeAsync(0)
  }
  async break(): Promise<void> {
    this.dispatchEvent(new Event('error'))
    await vi.advanceTimersByTimeAsync(0)
  }
}

/** Replaces the page's feed, for one reader. */
class FakeFeed {
  state: FeedState = { phase: 'connecting' }
  reader: FeedReader | undefined
  readonly asked: unknown[] = []
  #listener = () => {}
  readonly subscribe = (listener: () => void) => {
    this.#listener = listener
    return () => {
      this.#listener = () => {}
    }
  }
  join(reader: FeedReader): FeedSubscription {
    this.reader = reader
    return {
      startAt: (position) => this.asked.push(position),
      forget: () => this.asked.push('forget'),
      leave: () => this.asked.push('leave'),
    }
  }
  become(state: FeedState): void {
    this.state = state
    this.#listener()
  }
}

function setUp(feed?: FakeFeed) {
  const workers: FakeWorker[] = []
  const store = createNodeStore()
  const page = Object.assign(new EventTarget(), { hidden: false })
  const startWorker = () => {
    const worker = new FakeWorker()
    workers.push(worker)
    return worker
  }
  const source = createNodeSource({ store, startWorker, page, feed })
  const tallies: unknown[] = []
  source.onChanges((tally) => tallies.push(tally))
  source.start()
  const worker = () => workers.at(-1) ?? new FakeWorker()
  return { workers, worker, store, source, tallies }
}

const size = { listed: 2, total: 2 }
const at = (number: number, epoch = 'e') => ({ epoch, number })
const loaded = (position: FeedPosition): FromDecodeWorker => ({ kind: 'loaded', size, position })

function updateOf(table: NodeTable, ...rows: readonly unknown[]): FromDecodeWorker {
  table.setAll(rows)
  const update = table.takeUpdate()
  if (update === undefined) throw new Error('There is nothing to tell')
  return { kind: 'update', update }
}

const row = (id: string, status = 'online') => ({ id, label: id, lat: 1, lon: 2, status })

test('the first list fills the store and is not reported as a change', async () => {
  const { worker, store, source, tallies } = setUp()
  expect(source.state).toMatchObject({ phase: 'loading', isBusy: true, size: undefined })
  await worker().say(updateOf(new NodeTable(), row('a'), row('b')), loaded(at(1)))
  expect(store.counts).toEqual({ online: 2, offline: 0, other: 0 })
  expect(source.state).toMatchObject({ phase: 'ready', isBusy: false, size })
  expect(tallies).toEqual([])
})

test('a later change reaches the store by index and is reported', async () => {
  const { worker, store, tallies } = setUp()
  const table = new NodeTable()
  await worker().say(updateOf(table, row('a'), row('b')), loaded(at(1)))
  const changes: unknown[] = []
  store.subscribe((change) => changes.push(change))
  await vi.advanceTimersByTimeAsync(5000)
  await worker().say(updateOf(table, row('b', 'offline'), row('a')))
  expect([...store.columns.status]).toEqual([statusCodes.online, statusCodes.offline])
  expect(changes).toEqual([{ kind: 'statuses', indexes: Uint32Array.of(1) }])
  expect(tallies).toEqual([{ cameOnline: 0, wentOffline: 1, added: 0, removed: 0 }])
})

test('a failed first load is shown, a failed later one keeps the list, and the next success ends both', async () => {
  const { worker, store, source } = setUp()
  await worker().say({ kind: 'failed' })
  expect(source.state.phase).toBe('failed')
  source.retry()
  expect(source.state).toMatchObject({ phase: 'failed', isBusy: true })
  await worker().say(updateOf(new NodeTable(), row('a')), loaded(at(1)))
  expect(source.state.phase).toBe('ready')
  await vi.advanceTimersByTimeAsync(5000)
  await worker().say({ kind: 'failed' })
  expect(source.state).toMatchObject({ phase: 'stale', isBusy: false, size })
  expect(store.columns.count).toBe(1)
  await vi.advanceTimersByTimeAsync(5000)
  await worker().say(loaded(at(1)))
  expect(source.state.phase).toBe('ready')
})

test('a broken worker is replaced at the next load, whose list is not reported as a change', async () => {
  const { workers, worker, store, source, tallies } = setUp()
  await worker().say(updateOf(new NodeTable(), row('a')), loaded(at(1)))
  await worker().break()
  expect(workers[0]?.isTerminated).toBe(true)
  expect(source.state.phase).toBe('stale')
  await vi.advanceTimersByTimeAsync(5000)
  expect(workers).toHaveLength(2)
  await workers[0]?.say({ kind: 'failed' })
  expect(source.state.isBusy).toBe(true)
  await worker().say(updateOf(new NodeTable(), row('a'), row('b')), loaded(at(1)))
  expect(store.columns.count).toBe(2)
  expect(tallies).toEqual([])
})

test('private devices go to the worker, and to the next one before it loads', async () => {
  const { worker, source } = setUp()
  const devices = [{ id: 'p', label: 'p', lat: 1, lon: 2, status: 'online' as const, link: null }]
  source.setPrivate(devices)
  expect(worker().asked).toEqual([{ kind: 'load' }, { kind: 'private', devices }])
  await worker().break()
  await vi.advanceTimersByTimeAsync(5000)
  expect(worker().asked).toEqual([{ kind: 'private', devices }, { kind: 'load' }])
})

test('the index of the list belongs to the columns that it was made from', async () => {
  const { worker, store, source } = setUp()
  const empty = new Uint32Array(0)
  const index = {
    searchable: { text: '', ends: empty },
    orders: { label: empty, lat: empty, lon: empty },
  }
  await worker().say(updateOf(new NodeTable(), row('a')))
  expect(source.state.listing).toBeUndefined()
  await worker().say({ kind: 'listing', index })
  expect(source.state.listing).toEqual({ columns: store.columns, ...index })
})

test('the feed continues from each list, and its changes go through the worker', async () => {
  const feed = new FakeFeed()
  const { worker } = setUp(feed)
  await worker().say(updateOf(new NodeTable(), row('a')), loaded(at(1)))
  expect(feed.asked).toEqual([at(1)])
  const changed: PublicDevice = { ...row('a'), status: 'offline', link: null }
  feed.reader?.onChanges({ ...noIslands, changed: [changed], removedIds: ['b'], position: at(3) })
  expect(worker().asked).toEqual([
    { kind: 'load' },
    { kind: 'apply', changed: [changed], removedIds: ['b'], position: at(3) },
  ])
})

test('the list is not fetched while the feed is live; when the feed fails, it is fetched at once and every 5 s', async () => {
  const feed = new FakeFeed()
  const { worker } = setUp(feed)
  await worker().say(loaded(at(1)))
  feed.become({ phase: 'live' })
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(worker().asked).toHaveLength(1)
  feed.become({ phase: 'polling', error: 'SSE error' })
  expect(worker().asked).toHaveLength(2)
  await worker().say(loaded(at(9)))
  expect(feed.asked).toEqual([at(1), at(9)])
  await vi.advanceTimersByTimeAsync(5000)
  expect(worker().asked).toHaveLength(3)
})

test('a reload loads the list once, whether the feed is live or not', async () => {
  const feed = new FakeFeed()
  const { worker } = setUp(feed)
  await worker().say(loaded(at(1)))
  feed.become({ phase: 'live' })
  feed.reader?.onReload()
  expect(worker().asked).toHaveLength(2)
  await worker().say(loaded(at(0, 'f')))
  expect(feed.asked).toEqual([at(1), at(0, 'f')])
})

test('a closed worker loses the feed’s changes, and a stopped source its subscription', async () => {
  const feed = new FakeFeed()
  const { worker, source } = setUp(feed)
  await worker().say(loaded(at(1)))
  await worker().break()
  expect(feed.asked).toEqual([at(1), 'forget'])
  source.stop()
  expect(feed.asked.at(-1)).toBe('leave')
  feed.become({ phase: 'polling', error: 'SSE error' })
  expect(worker().asked).toHaveLength(1)
})

test('a stopped source has no worker and loads nothing; a restart loads the list again', async () => {
  const { workers, worker, source } = setUp()
  source.stop()
  expect(worker().isTerminated).toBe(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(workers).toHaveLength(1)
  source.start()
  expect(workers).toHaveLength(2)
  expect(worker().asked).toEqual([{ kind: 'load' }])
})
