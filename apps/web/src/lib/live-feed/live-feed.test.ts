import type { PublicDevice } from '@astropelago/contract/devices'
import { beforeEach, expect, test, vi } from 'vitest'
import type { FeedChanges } from './feed-changes.ts'
import type { FeedHandlers, FeedTransport } from './feed-transport.ts'
import { type FeedPlace, LiveFeed } from './live-feed.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const silenceMs = 20_000

/** One connection, of which the test says what comes. */
interface FakeConnection extends FeedHandlers {
  readonly since: string
  isClosed: boolean
}

class FakePage extends EventTarget {
  hidden = false
  show(isShown: boolean): void {
    this.hidden = !isShown
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

function setUp() {
  const connections: FakeConnection[] = []
  const transport: FeedTransport = {
    error: 'SSE error',
    silenceMs,
    open: (since, handlers) => {
      const connection = { since, isClosed: false, ...handlers }
      connections.push(connection)
      return () => {
        connection.isClosed = true
      }
    },
  }
  const page = new FakePage()
  // Half of each bound: 0.5 s, 1 s, 2 s.
  const feed = new LiveFeed({ transport, page: () => page, random: () => 0.5 })
  const join = () => {
    const told: FeedChanges[] = []
    const onReload = vi.fn<() => void>()
    const place = feed.join({ onChanges: (changes) => told.push(changes), onReload })
    return { told, onReload, place }
  }
  const last = (): FakeConnection => {
    const connection = connections.at(-1)
    if (connection === undefined) throw new Error('No connection was opened')
    return connection
  }
  const openAt = (place: FeedPlace, sequence: string) => {
    place.startAt(sequence)
    last().onOpen()
  }
  return { feed, page, connections, join, last, openAt }
}

const device = (id: string, status: PublicDevice['status'] = 'online'): PublicDevice => ({
  id,
  label: id,
  lat: 1,
  lon: 2,
  status,
  link: null,
})
const changed = (sequence: string, payload: PublicDevice) =>
  JSON.stringify({ type: 'device', payload, sequence })
const removed = (sequence: string, id: string) =>
  JSON.stringify({ type: 'device-removed', payload: { id }, sequence })
const reload = JSON.stringify({ type: 'reload' })
const gathered = () => vi.advanceTimersByTime(20)

test('it opens for the first reader that can start, from its ETag, and closes after the last', () => {
  const { feed, connections, join, last } = setUp()
  const first = join()
  expect(connections).toHaveLength(0)
  first.place.startAt('W/"e-7"')
  expect(last().since).toBe('e-7')
  expect(feed.state.phase).toBe('connecting')
  last().onOpen()
  expect(feed.state.phase).toBe('live')
  const second = join()
  second.place.startAt('"e-7"')
  expect(connections).toHaveLength(1)
  first.place.leave()
  first.place.leave()
  expect(last().isClosed).toBe(false)
  second.place.leave()
  expect(last().isClosed).toBe(true)
  vi.advanceTimersByTime(3_600_000)
  expect(connections).toHaveLength(1)
})

test('messages that come together are told once, with the last word on each device', () => {
  const { join, last, openAt } = setUp()
  const { place, told } = join()
  openAt(place, 'e-0')
  last().onMessages([changed('e-1', device('a', 'offline')), changed('e-2', device('b'))])
  last().onMessages([removed('e-3', 'b'), removed('e-4', 'a'), changed('e-5', device('a'))])
  expect(told).toEqual([])
  gathered()
  expect(told).toEqual([{ changed: [device('a')], removedIds: ['b'], sequence: 'e-5' }])
})

test('a reader with a newer list is not told what is in it; one with an older list gets what it lacks', () => {
  const { connections, join, last, openAt } = setUp()
  const first = join()
  openAt(first.place, 'e-5')
  last().onMessages([changed('e-6', device('a'))])
  gathered()
  const newer = join()
  newer.place.startAt('e-8')
  expect(connections).toHaveLength(1)
  const older = join()
  older.place.startAt('e-3')
  expect(connections.map(({ since, isClosed }) => [since, isClosed])).toEqual([
    ['e-5', true],
    ['e-3', false],
  ])
  last().onMessages([changed('e-4', device('b')), changed('e-6', device('a'))])
  last().onMessages([removed('e-8', 'c'), removed('e-9', 'd')])
  gathered()
  expect(first.told.map(({ sequence }) => sequence)).toEqual(['e-6', 'e-9'])
  expect(newer.told).toEqual([{ changed: [], removedIds: ['d'], sequence: 'e-9' }])
  expect(older.told).toEqual([
    { changed: [device('b'), device('a')], removedIds: ['c', 'd'], sequence: 'e-9' },
  ])
})

test('numbers may be missing: the server takes back what it told of a device that turned private', () => {
  const { join, last, openAt, feed } = setUp()
  const { place, told, onReload } = join()
  openAt(place, 'e-0')
  last().onMessages([changed('e-1', device('a')), changed('e-9', device('b'))])
  gathered()
  expect(told).toHaveLength(1)
  expect(onReload).not.toHaveBeenCalled()
  expect(feed.state.phase).toBe('live')
})

test('what fails is told silently, and tried again from the last message, with growing waits', () => {
  const { feed, connections, join, last, openAt } = setUp()
  const { place, told } = join()
  openAt(place, 'e-1')
  last().onMessages([changed('e-2', device('a'))])
  last().onEnd(0)
  expect(feed.state).toEqual({ phase: 'polling', error: 'SSE error' })
  // What had come is not lost with the connection.
  expect(told).toHaveLength(1)
  for (const waitMs of [500, 1000, 2000, 4000, 8000, 15_000, 15_000]) {
    const before = connections.length
    vi.advanceTimersByTime(waitMs - 1)
    expect(connections).toHaveLength(before)
    vi.advanceTimersByTime(1)
    expect(connections).toHaveLength(before + 1)
    expect(last().since).toBe('e-2')
    last().onEnd(0)
  }
  vi.advanceTimersByTime(15_000)
  last().onOpen()
  expect(feed.state.phase).toBe('live')
})

test('a poll moves the place to go on from, and does not hurry the next try', () => {
  const { connections, join, last, openAt } = setUp()
  const { place } = join()
  openAt(place, 'e-1')
  last().onEnd(0)
  place.startAt('e-4')
  expect(connections).toHaveLength(1)
  vi.advanceTimersByTime(500)
  expect(last().since).toBe('e-4')
})

test('a connection that lasts 10 s makes good what failed before it; a shorter one does not', () => {
  const { connections, join, last, openAt } = setUp()
  const { place } = join()
  openAt(place, 'e-1')
  last().onEnd(0)
  vi.advanceTimersByTime(500)
  last().onOpen()
  vi.advanceTimersByTime(9999)
  last().onEnd(0)
  vi.advanceTimersByTime(999)
  expect(connections).toHaveLength(2)
  vi.advanceTimersByTime(1)
  last().onOpen()
  vi.advanceTimersByTime(10_000)
  last().onEnd(0)
  vi.advanceTimersByTime(500)
  expect(connections).toHaveLength(4)
})

test('a server that says how long to stay away is left alone for so long', () => {
  const { connections, join, last } = setUp()
  const { place } = join()
  place.startAt('e-1')
  last().onEnd(30_000)
  vi.advanceTimersByTime(30_499)
  expect(connections).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(connections).toHaveLength(2)
})

test('one that neither opens nor ends counts as failed after 10 s', () => {
  const { feed, join, last } = setUp()
  const { place } = join()
  place.startAt('e-1')
  vi.advanceTimersByTime(10_000)
  expect(feed.state.phase).toBe('polling')
  expect(last().isClosed).toBe(true)
})

test('reload: everybody loads, and the feed goes on from the new list at once', () => {
  const { feed, connections, join, last, openAt } = setUp()
  const { place, told, onReload } = join()
  openAt(place, 'e-1')
  last().onMessages([changed('e-2', device('a')), reload])
  expect(told).toHaveLength(1)
  expect(onReload).toHaveBeenCalledTimes(1)
  expect(feed.state.phase).toBe('connecting')
  vi.advanceTimersByTime(60_000)
  expect(connections).toHaveLength(1)
  place.startAt('f-0')
  expect(last().since).toBe('f-0')
})

test('a server that asks to reload again and again is asked less and less often', () => {
  const { connections, join, last, openAt } = setUp()
  const { place } = join()
  openAt(place, 'e-1')
  last().onMessages([reload])
  openAt(place, 'f-1')
  last().onMessages([reload])
  place.startAt('f-1')
  expect(connections).toHaveLength(2)
  vi.advanceTimersByTime(500)
  expect(connections).toHaveLength(3)
  last().onOpen()
  last().onMessages([reload])
  place.startAt('f-1')
  vi.advanceTimersByTime(999)
  expect(connections).toHaveLength(3)
  vi.advanceTimersByTime(1)
  expect(connections).toHaveLength(4)
})

test('a list of a server that began anew takes the connection along, and other readers load too', () => {
  const { connections, join, last, openAt } = setUp()
  const first = join()
  openAt(first.place, 'e-5')
  const second = join()
  second.place.startAt('f-2')
  expect(connections.map(({ isClosed }) => isClosed)).toEqual([true, false])
  expect(last().since).toBe('f-2')
  expect(first.onReload).toHaveBeenCalledTimes(1)
  expect(second.onReload).not.toHaveBeenCalled()
})

test.each(['not JSON', '[]', '{"type":"device"}', changed('other-3', device('a'))])(
  'a message that can’t be of this connection (%s) counts as failed',
  (text) => {
    const { feed, join, last, openAt } = setUp()
    const { place } = join()
    openAt(place, 'e-1')
    last().onMessages([text])
    expect(feed.state.phase).toBe('polling')
  },
)

test('after a silence it is opened anew without a word, so that a dead connection is not trusted', () => {
  const { feed, connections, join, last, openAt } = setUp()
  const { place } = join()
  openAt(place, 'e-1')
  vi.advanceTimersByTime(silenceMs - 1)
  last().onBeat()
  vi.advanceTimersByTime(silenceMs - 1)
  expect(connections).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(connections.map(({ isClosed }) => isClosed)).toEqual([true, false])
  expect(feed.state.phase).toBe('live')
  vi.advanceTimersByTime(10_000)
  expect(feed.state.phase).toBe('polling')
})

test('what a connection says after it was closed is not heard', () => {
  const { feed, connections, join, last, openAt } = setUp()
  const { place, told } = join()
  openAt(place, 'e-1')
  vi.advanceTimersByTime(silenceMs)
  const [old] = connections
  old?.onMessages([changed('e-2', device('a'))])
  old?.onEnd(0)
  gathered()
  expect(told).toEqual([])
  expect(feed.state.phase).toBe('live')
  expect(last().isClosed).toBe(false)
})

test('hidden for a minute the connection is given back; shown again, one from the last message catches up', () => {
  const { feed, page, connections, join, last, openAt } = setUp()
  const { place } = join()
  openAt(place, 'e-1')
  last().onMessages([changed('e-2', device('a'))])
  page.show(false)
  for (const ms of [15_000, 15_000, 15_000, 14_999]) {
    vi.advanceTimersByTime(ms)
    last().onBeat()
  }
  expect(last().isClosed).toBe(false)
  vi.advanceTimersByTime(1)
  expect(last().isClosed).toBe(true)
  vi.advanceTimersByTime(3_600_000)
  const before = connections.length
  page.show(true)
  expect(connections).toHaveLength(before + 1)
  expect(last().since).toBe('e-2')
  // Not for a moment did polling have to take over.
  expect(feed.state.phase).toBe('live')
})

test('hidden for less than a minute it stays', () => {
  const { page, connections, join, last, openAt } = setUp()
  const { place } = join()
  openAt(place, 'e-1')
  page.show(false)
  vi.advanceTimersByTime(15_000)
  last().onBeat()
  page.show(true)
  vi.advanceTimersByTime(15_000)
  last().onBeat()
  expect(connections).toHaveLength(1)
})

test('a reader that has lost what it had is told nothing, and starts even from before', () => {
  const { connections, join, last, openAt } = setUp()
  const { place, told } = join()
  openAt(place, 'e-5')
  last().onMessages([changed('e-6', device('a'))])
  gathered()
  place.forget()
  last().onMessages([changed('e-7', device('a'))])
  gathered()
  expect(told).toHaveLength(1)
  place.startAt('e-4')
  expect(connections).toHaveLength(2)
  expect(last().since).toBe('e-4')
})

test('a server without a sequence is never connected to', () => {
  const { connections, join } = setUp()
  const { place } = join()
  place.startAt(null)
  place.startAt('"33a64df5"')
  expect(connections).toHaveLength(0)
})
