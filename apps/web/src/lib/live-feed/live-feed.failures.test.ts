import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import { reconnectDelayMs } from './reconnect-delay.ts'
import {
  at,
  changed,
  device,
  gathered,
  reload,
  setUpFeed,
  silenceMs,
} from './testing/set-up-feed.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

test('what fails is told silently, and tried again from the last message, with growing waits', () => {
  const { feed, connections, join, last, openAt } = setUpFeed()
  const { subscription, told } = join()
  openAt(subscription, 'e-1')
  last().onMessages([changed('e-2', device('a'))])
  last().onEnd(0)
  expect(feed.state).toEqual({ phase: 'polling', error: 'SSE error' })
  // Messages received before the failure are not lost.
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

test('a poll moves the position to go on from, and does not hurry the next try', () => {
  const { connections, join, last, openAt } = setUpFeed()
  const { subscription } = join()
  openAt(subscription, 'e-1')
  last().onEnd(0)
  subscription.startAt(at('e-4'))
  expect(connections).toHaveLength(1)
  vi.advanceTimersByTime(500)
  expect(last().since).toBe('e-4')
})

test('when its time comes and nobody has a position to start from, the next try waits for one', () => {
  const { connections, join, last, openAt } = setUpFeed()
  const { subscription } = join()
  openAt(subscription, 'e-1')
  last().onEnd(0)
  subscription.forget()
  vi.advanceTimersByTime(500)
  expect(connections).toHaveLength(1)
  subscription.startAt(at('e-2'))
  expect(last().since).toBe('e-2')
})

test('a connection that lasts 10 s makes good what failed before it; a shorter one does not', () => {
  const { connections, join, last, openAt } = setUpFeed()
  const { subscription } = join()
  openAt(subscription, 'e-1')
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
  const { connections, join, last } = setUpFeed()
  const { subscription } = join()
  subscription.startAt(at('e-1'))
  last().onEnd(30_000)
  vi.advanceTimersByTime(30_499)
  expect(connections).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(connections).toHaveLength(2)
})

test('one that neither opens nor ends counts as failed after 10 s', () => {
  const { feed, join, last } = setUpFeed()
  const { subscription } = join()
  subscription.startAt(at('e-1'))
  vi.advanceTimersByTime(10_000)
  expect(feed.state.phase).toBe('polling')
  expect(last().isClosed).toBe(true)
})

test('reload: everybody loads, and the feed goes on from the new list at once', () => {
  const { feed, connections, join, last, openAt } = setUpFeed()
  const { subscription, told, onReload } = join()
  openAt(subscription, 'e-1')
  last().onMessages([changed('e-2', device('a')), reload])
  expect(told).toHaveLength(1)
  expect(onReload).toHaveBeenCalledTimes(1)
  expect(feed.state.phase).toBe('connecting')
  vi.advanceTimersByTime(60_000)
  expect(connections).toHaveLength(1)
  subscription.startAt(at('f-0'))
  expect(last().since).toBe('f-0')
})

test('a server that asks to reload again and again is asked less and less often', () => {
  const { connections, join, last, openAt } = setUpFeed()
  const { subscription } = join()
  openAt(subscription, 'e-1')
  last().onMessages([reload])
  openAt(subscription, 'f-1')
  last().onMessages([reload])
  subscription.startAt(at('f-1'))
  expect(connections).toHaveLength(2)
  vi.advanceTimersByTime(500)
  expect(connections).toHaveLength(3)
  last().onOpen()
  last().onMessages([reload])
  subscription.startAt(at('f-1'))
  vi.advanceTimersByTime(999)
  expect(connections).toHaveLength(3)
  vi.advanceTimersByTime(1)
  expect(connections).toHaveLength(4)
})

test('a list of a server that began anew takes the connection along, and other readers load too', () => {
  const { connections, join, last, openAt } = setUpFeed()
  const first = join()
  openAt(first.subscription, 'e-5')
  const second = join()
  second.subscription.startAt(at('f-2'))
  expect(connections.map(({ isClosed }) => isClosed)).toEqual([true, false])
  expect(last().since).toBe('f-2')
  expect(first.onReload).toHaveBeenCalledTimes(1)
  expect(second.onReload).not.toHaveBeenCalled()
})

test.each(['not JSON', '[]', '{"type":"device"}', changed('other-3', device('a'))])(
  'a message that can’t be of this connection (%s) counts as failed',
  (text) => {
    const { feed, join, last, openAt } = setUpFeed()
    const { subscription } = join()
    openAt(subscription, 'e-1')
    last().onMessages([text])
    expect(feed.state.phase).toBe('polling')
  },
)

test('after a silence it is opened anew without a word, so that a dead connection is not trusted', () => {
  const { feed, connections, join, last, openAt } = setUpFeed()
  const { subscription } = join()
  openAt(subscription, 'e-1')
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
  const { feed, connections, join, last, openAt } = setUpFeed()
  const { subscription, told } = join()
  openAt(subscription, 'e-1')
  vi.advanceTimersByTime(silenceMs)
  const [old] = connections
  old?.onMessages([changed('e-2', device('a'))])
  old?.onEnd(0)
  gathered()
  expect(told).toEqual([])
  expect(feed.state.phase).toBe('live')
  expect(last().isClosed).toBe(false)
})

test('the wait is any share of a bound that begins at 1 s, doubles, and ends at 30 s', () => {
  const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(fc.nat(5000), share, (failures, random) => {
      const boundMs = failures < 5 ? [1, 2, 4, 8, 16][failures] : 30
      expect(reconnectDelayMs(failures, () => random)).toBeCloseTo(random * 1000 * (boundMs ?? 0))
    }),
  )
})
