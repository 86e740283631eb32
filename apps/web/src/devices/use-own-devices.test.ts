import type { Visibility } from '@astropelago/contract/devices'
import type { FeedPosition } from '@astropelago/contract/feed'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import type { FeedReader } from '../lib/live-feed/live-feed.ts'
import { sampleDevice } from '../test/samples.ts'
import { ownDevicesQuery } from './own-devices-query.ts'
import { followOwnDevices, liveInterval } from './use-own-devices.ts'

const noIslands = { changedIslands: [], removedIslandIds: [] }

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const own = sampleDevice({ id: 'a', precision: 'km10', visibility: 'private' })
const position = { epoch: 'e', number: 3 }
const { id, label, status, link, publicLat: lat, publicLon: lon } = own
const asPublic = { id, label, lat, lon, status, link }

async function setUp(fetchPosition: () => Promise<FeedPosition | undefined>) {
  const client = new QueryClient()
  client.setQueryData(ownDevicesQuery.queryKey, [own])
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  const startAt = vi.fn<(position: FeedPosition | undefined) => void>()
  const leave = vi.fn<() => void>()
  let reader: FeedReader | undefined
  const feed = {
    join: (joined: FeedReader) => {
      reader = joined
      return { startAt, forget: () => {}, leave }
    },
  }
  const stop = followOwnDevices(client, feed, fetchPosition)
  await vi.advanceTimersByTimeAsync(0)
  const devices = () => client.getQueryData(ownDevicesQuery.queryKey)
  return { reader, invalidate, startAt, leave, stop, devices }
}

test('the list is fetched after the feed position is known', async () => {
  const { startAt, invalidate } = await setUp(async () => position)
  expect(startAt).toHaveBeenCalledWith(position)
  expect(startAt.mock.invocationCallOrder[0]).toBeLessThan(
    invalidate.mock.invocationCallOrder[0] ?? 0,
  )
})

test('an own device shows a change in the feed at once, and the list is refetched', async () => {
  const { reader, devices, invalidate } = await setUp(async () => position)
  invalidate.mockClear()
  const changed = [{ ...asPublic, status: 'online' as const }]
  reader?.onChanges({ ...noIslands, changed, removedIds: [], position: { epoch: 'e', number: 4 } })
  expect(devices()).toEqual([{ ...own, status: 'online', visibility: 'public' }])
  expect(invalidate).toHaveBeenCalledTimes(1)
})

test('a device that is no longer public may be private or deleted, so the list is refetched', async () => {
  const { reader, devices, invalidate } = await setUp(async () => position)
  invalidate.mockClear()
  reader?.onChanges({
    ...noIslands,
    changed: [],
    removedIds: ['a'],
    position: { epoch: 'e', number: 4 },
  })
  expect(devices()).toEqual([own])
  expect(invalidate).toHaveBeenCalledTimes(1)
})

test('devices of other users change nothing', async () => {
  const { reader, devices, invalidate } = await setUp(async () => position)
  invalidate.mockClear()
  const changed = [{ ...asPublic, id: 'b' }]
  reader?.onChanges({
    ...noIslands,
    changed,
    removedIds: ['c'],
    position: { epoch: 'e', number: 4 },
  })
  expect(devices()).toEqual([own])
  expect(invalidate).not.toHaveBeenCalled()
})

test('without an answer the position is fetched again after 10 s, and after a reload at once', async () => {
  const fetchPosition = vi.fn<() => Promise<FeedPosition>>(async () => position)
  fetchPosition.mockRejectedValueOnce(new Error('no answer'))
  const { reader, startAt } = await setUp(fetchPosition)
  expect(startAt).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(startAt).toHaveBeenCalledTimes(1)
  reader?.onReload()
  await vi.advanceTimersByTimeAsync(0)
  expect(startAt).toHaveBeenCalledTimes(2)
})

test('left, it gives its subscription back and asks no more', async () => {
  const fetchPosition = vi
    .fn<() => Promise<FeedPosition>>()
    .mockRejectedValue(new Error('no answer'))
  const { stop, leave } = await setUp(fetchPosition)
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(leave).toHaveBeenCalledTimes(1)
  expect(fetchPosition).toHaveBeenCalledTimes(1)
})

const device = (visibility: Visibility) => sampleDevice({ visibility })
const live = { phase: 'live' } as const
const polling = { phase: 'polling', error: 'SSE error' } as const

test.each([undefined, { phase: 'connecting' } as const, polling])(
  'while the feed is %j the list is asked for as ever',
  (state) => {
    expect(liveInterval(1000, [device('public')], state)).toBe(1000)
  },
)

test('a live feed reports public devices, but not private ones', () => {
  expect(liveInterval(1000, [device('public')], live)).toBe(60_000)
  expect(liveInterval(10_000, [], live)).toBe(60_000)
  expect(liveInterval(1000, [device('public'), device('private')], live)).toBe(1000)
})

test('a list that is not polled stays so, and an unknown list is polled as before', () => {
  expect(liveInterval(false, [device('private')], live)).toBe(false)
  expect(liveInterval(1000, undefined, live)).toBe(1000)
})
