import { beforeEach, expect, test, vi } from 'vitest'
import { sampleIsland } from '../../test/sample-island.ts'
import { at, changed, device, gathered, removed, setUpFeed } from './testing/set-up-feed.ts'

const noIslands = { changedIslands: [], removedIslandIds: [] }

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

test('it opens for the first reader that can start, from its position, and closes after the last', () => {
  const { feed, connections, join, last } = setUpFeed()
  const first = join()
  expect(connections).toHaveLength(0)
  first.subscription.startAt(at('e-7'))
  expect(last().since).toBe('e-7')
  expect(feed.state.phase).toBe('connecting')
  last().onOpen()
  expect(feed.state.phase).toBe('live')
  const second = join()
  second.subscription.startAt(at('e-7'))
  expect(connections).toHaveLength(1)
  first.subscription.leave()
  first.subscription.leave()
  expect(last().isClosed).toBe(false)
  second.subscription.leave()
  expect(last().isClosed).toBe(true)
  vi.advanceTimersByTime(3_600_000)
  expect(connections).toHaveLength(1)
})

test('messages that come together are told once, with the last word on each device', () => {
  const { join, last, openAt } = setUpFeed()
  const { subscription, told } = join()
  openAt(subscription, 'e-0')
  last().onMessages([changed('e-1', device('a', 'offline')), changed('e-2', device('b'))])
  last().onMessages([removed('e-3', 'b'), removed('e-4', 'a'), changed('e-5', device('a'))])
  expect(told).toEqual([])
  gathered()
  expect(told).toEqual([
    { ...noIslands, changed: [device('a')], removedIds: ['b'], position: at('e-5') },
  ])
})

test('a reader with a newer list is not told what is in it; one with an older list gets what it lacks', () => {
  const { connections, join, last, openAt } = setUpFeed()
  const first = join()
  openAt(first.subscription, 'e-5')
  last().onMessages([changed('e-6', device('a'))])
  gathered()
  const newer = join()
  newer.subscription.startAt(at('e-8'))
  expect(connections).toHaveLength(1)
  const older = join()
  older.subscription.startAt(at('e-3'))
  expect(connections.map(({ since, isClosed }) => [since, isClosed])).toEqual([
    ['e-5', true],
    ['e-3', false],
  ])
  last().onOpen()
  last().onMessages([changed('e-4', device('b')), changed('e-6', device('a'))])
  last().onMessages([removed('e-8', 'c'), removed('e-9', 'd')])
  gathered()
  expect(first.told.map(({ position }) => position)).toEqual([at('e-6'), at('e-9')])
  expect(newer.told).toEqual([
    { ...noIslands, changed: [], removedIds: ['d'], position: at('e-9') },
  ])
  expect(older.told).toEqual([
    {
      ...noIslands,
      changed: [device('b'), device('a')],
      removedIds: ['c', 'd'],
      position: at('e-9'),
    },
  ])
})

test('numbers may be missing: the server takes back what it told of a device that turned private', () => {
  const { join, last, openAt, feed } = setUpFeed()
  const { subscription, told, onReload } = join()
  openAt(subscription, 'e-0')
  last().onMessages([changed('e-1', device('a')), changed('e-9', device('b'))])
  gathered()
  expect(told).toHaveLength(1)
  expect(onReload).not.toHaveBeenCalled()
  expect(feed.state.phase).toBe('live')
})

test('hidden for a minute the connection is given back; shown again, one from the last message catches up', () => {
  const { feed, page, connections, join, last, openAt } = setUpFeed()
  const { subscription } = join()
  openAt(subscription, 'e-1')
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
  // Polling never took over.
  expect(feed.state.phase).toBe('live')
})

test('hidden for less than a minute it stays', () => {
  const { page, connections, join, last, openAt } = setUpFeed()
  const { subscription } = join()
  openAt(subscription, 'e-1')
  page.show(false)
  vi.advanceTimersByTime(15_000)
  last().onBeat()
  page.show(true)
  vi.advanceTimersByTime(15_000)
  last().onBeat()
  expect(connections).toHaveLength(1)
})

test('a reader that has lost what it had is told nothing, and starts even from before', () => {
  const { connections, join, last, openAt } = setUpFeed()
  const { subscription, told } = join()
  openAt(subscription, 'e-5')
  last().onMessages([changed('e-6', device('a'))])
  gathered()
  subscription.forget()
  last().onMessages([changed('e-7', device('a'))])
  gathered()
  expect(told).toHaveLength(1)
  subscription.startAt(at('e-4'))
  expect(connections).toHaveLength(2)
  expect(last().since).toBe('e-4')
})

test('a server without a sequence is never connected to', () => {
  const { connections, join } = setUpFeed()
  const { subscription } = join()
  subscription.startAt(undefined)
  expect(connections).toHaveLength(0)
})

const island = sampleIsland({ id: 'i', deviceId: 'a' })

test('islands are told with the last word on each, and apart from devices with the same id', () => {
  const { join, last, openAt } = setUpFeed()
  const { subscription, told } = join()
  openAt(subscription, 'e-0')
  last().onMessages([
    JSON.stringify({ type: 'island', payload: { ...island, isOpen: false }, sequence: 'e-1' }),
    JSON.stringify({ type: 'island', payload: island, sequence: 'e-2' }),
    JSON.stringify({ type: 'island-removed', payload: { id: 'a' }, sequence: 'e-3' }),
    changed('e-4', device('a')),
  ])
  gathered()
  expect(told).toEqual([
    {
      changed: [device('a')],
      removedIds: [],
      changedIslands: [island],
      removedIslandIds: ['a'],
      position: at('e-4'),
    },
  ])
})

test('a message of a kind that the page does not know is passed over, and not asked for again', () => {
  const { feed, join, last, openAt } = setUpFeed()
  const { subscription, told } = join()
  openAt(subscription, 'e-0')
  last().onMessages([JSON.stringify({ type: 'comet', payload: 'x', sequence: 'e-1' })])
  gathered()
  expect(feed.state.phase).toBe('live')
  expect(told).toEqual([{ ...noIslands, changed: [], removedIds: [], position: at('e-1') }])
})

test('what neighbours changed is told apart, with the last word on each', () => {
  const { join, last, openAt } = setUpFeed()
  const { subscription, told } = join()
  openAt(subscription, 'e-0')
  const light = { id: 'n:a', label: 'Light', lat: 1, lon: 2, status: 'online' }
  last().onMessages([
    JSON.stringify({ type: 'neighbour-device', payload: light, sequence: 'e-1' }),
    JSON.stringify({ type: 'neighbour-device-removed', payload: { id: 'n:a' }, sequence: 'e-2' }),
    JSON.stringify({
      type: 'neighbour-device',
      payload: { ...light, id: 'n:b' },
      sequence: 'e-3',
    }),
    JSON.stringify({ type: 'neighbour-island-removed', payload: { id: 'i' }, sequence: 'e-4' }),
    JSON.stringify({ type: 'neighbour-removed', payload: { id: 'm' }, sequence: 'e-5' }),
  ])
  gathered()
  expect(told).toEqual([
    {
      ...noIslands,
      changed: [],
      removedIds: [],
      ofNeighbours: {
        changed: [],
        removedIds: ['m'],
        changedDevices: [{ ...light, id: 'n:b' }],
        removedDeviceIds: ['n:a'],
        changedIslands: [],
        removedIslandIds: ['i'],
      },
      position: at('e-5'),
    },
  ])
})
