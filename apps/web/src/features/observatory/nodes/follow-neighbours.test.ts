import { expect, onTestFinished, test, vi } from 'vitest'
import type { FeedReader, FeedState } from '../../../lib/live-feed/live-feed.ts'
import type { ToDecodeWorker } from './decode-worker.ts'
import { followNeighbours } from './follow-neighbours.ts'

function setUp(phase: 'live' | 'polling') {
  vi.useFakeTimers()
  vi.stubGlobal('document', { hidden: false })
  const state: FeedState = phase === 'live' ? { phase } : { phase, error: 'SSE error' }
  const posted: ToDecodeWorker[] = []
  const told: unknown[] = []
  let reader: FeedReader | undefined
  const following = followNeighbours({
    post: (message) => posted.push(message),
    feed: {
      state,
      join: (joined) => {
        reader = joined
        return {
          startAt: (position) => told.push(position),
          forget: () => told.push('forget'),
          leave: () => told.push('leave'),
        }
      },
    },
  })
  onTestFinished(() => {
    following.show(0)
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  return { following, posted, told, reader: () => reader }
}

const position = { epoch: 'e', number: 7 }
const none = { changed: [], removedIds: [], changedIslands: [], removedIslandIds: [], position }
const noneOfNeighbours = {
  changed: [],
  removedIds: [],
  changedDevices: [],
  removedDeviceIds: [],
  changedIslands: [],
  removedIslandIds: [],
}

test('nothing is followed without neighbours, or after the last is switched off', () => {
  const { following, posted, told, reader } = setUp('polling')
  vi.advanceTimersByTime(120_000)
  expect(reader()).toBeUndefined()
  following.show(1)
  following.loaded(position, false)
  vi.advanceTimersByTime(30_000)
  expect(posted).toEqual([{ kind: 'load-neighbours' }])
  following.show(0)
  vi.advanceTimersByTime(120_000)
  expect(posted).toHaveLength(1)
  expect(told).toEqual([position, 'leave'])
})

test('while the feed is live it brings changes, and only a changed neighbour is asked for again', () => {
  const { following, posted, reader } = setUp('live')
  following.show(2)
  vi.advanceTimersByTime(120_000)
  expect(posted).toEqual([])
  reader()?.onChanges(none)
  const ofNeighbours = { ...noneOfNeighbours, removedDeviceIds: ['n:a'], removedIds: ['m'] }
  reader()?.onChanges({ ...none, ofNeighbours })
  const changes = {
    changed: [],
    removedIds: ['n:a'],
    removedNeighbours: ['m'],
    hasChangedNeighbours: false,
    position,
  }
  vi.advanceTimersByTime(120_000)
  expect(posted).toEqual([{ kind: 'apply-neighbours', changes }])
  const changed = {
    id: 'n',
    name: 'Harbor',
    address: 'https://harbor.example',
    colour: 0,
    islandCount: 1,
    deviceCount: 1,
  }
  for (const _ of [1, 2]) {
    reader()?.onChanges({ ...none, ofNeighbours: { ...noneOfNeighbours, changed: [changed] } })
  }
  vi.advanceTimersByTime(120_000)
  expect(posted.filter(({ kind }) => kind === 'load-neighbours')).toHaveLength(1)
})

test('a list that is older than the change of a neighbour is asked for each second, ten times', () => {
  const { following, posted } = setUp('live')
  following.show(1)
  following.loaded(position, true)
  vi.advanceTimersByTime(999)
  expect(posted).toEqual([])
  vi.advanceTimersByTime(1)
  expect(posted).toHaveLength(1)
  for (let list = 0; list < 20; list += 1) {
    following.loaded(position, true)
    vi.advanceTimersByTime(1000)
  }
  expect(posted).toHaveLength(10)
})
