import {
  relayRequestsPerIsland,
  relayRequestsPerNetwork,
  relayStreamsPerIsland,
  relayStreamsPerNetwork,
} from '@astropelago/contract/limits'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Transfers } from './transfers.ts'

function setUp() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  // Islands 10 to 19 belong to host 1, and so on.
  const transfers = new Transfers({ hostOf: (islandKey) => Math.floor(islandKey / 10) })
  const begin = (islandKey = 1, network?: string) => {
    const state = { seen: '', isWaiting: false, waitingBytes: 0, cut: '' }
    const transfer = transfers.begin({
      islandKey,
      ...(network !== undefined && { network }),
      progress: () => state.seen,
      isWaiting: () => state.isWaiting,
      waitingBytes: () => state.waitingBytes,
      cut: (why) => (state.cut = why),
    })
    return { state, transfer }
  }
  return { transfers, begin }
}

test('R5 a transfer that makes no progress for 60 s is cut; one that does is not', () => {
  const { begin } = setUp()
  const [stuck, moving] = [begin(), begin()]
  for (let second = 0; second < 60; second += 5) {
    moving.state.seen = String(second)
    vi.advanceTimersByTime(5000)
  }
  expect([stuck.state.cut, moving.state.cut]).toEqual(['stuck', ''])
  vi.advanceTimersByTime(60_000)
  expect(moving.state.cut).toBe('stuck')
})

test('R5 a stream may be idle, unless bytes wait to be read', () => {
  const { begin } = setUp()
  const [resting, slow] = [begin(), begin()]
  resting.transfer?.mayRest()
  slow.transfer?.mayRest()
  slow.state.isWaiting = true
  vi.advanceTimersByTime(3_600_000)
  expect([resting.state.cut, slow.state.cut]).toEqual(['', 'stuck'])
})

test('R5 an island’s requests are limited, apart from its streams and from other islands', () => {
  const { begin } = setUp()
  const running = Array.from({ length: relayRequestsPerIsland }, () => begin())
  expect(begin().transfer).toBeUndefined()
  expect(begin(2).transfer).toBeDefined()
  running[0]?.transfer?.end()
  running[0]?.transfer?.end()
  expect(begin().transfer).toBeDefined()
  expect(begin().transfer).toBeUndefined()
  running[1]?.transfer?.mayRest()
  expect(begin().transfer).toBeDefined()
})

test('R5 idle streams are limited too: one more counts as a request', () => {
  const { begin } = setUp()
  for (let count = 0; count < relayStreamsPerIsland; count += 1) begin().transfer?.mayRest()
  const requests = Array.from({ length: relayRequestsPerIsland }, () => begin())
  for (const { transfer } of requests) transfer?.mayRest()
  expect(begin().transfer).toBeUndefined()
  requests[0]?.transfer?.end()
  expect(begin().transfer).toBeDefined()
})

test('R54 one network takes part of an island’s room, never all of it', () => {
  const { begin } = setUp()
  const [one, other] = ['203.0.113.7', '203.0.113.8']
  const running = Array.from({ length: relayRequestsPerNetwork }, () => begin(1, one))
  expect(begin(1, one).transfer).toBeUndefined()
  expect(begin(2, one).transfer).toBeDefined()
  expect(begin(1, other).transfer).toBeDefined()
  running[0]?.transfer?.end()
  expect(begin(1, one).transfer).toBeDefined()
  expect(begin(1, one).transfer).toBeUndefined()
})

test('S48 R54 the bytes that wait for one network are limited, over all islands', () => {
  const { begin } = setUp()
  const slow = Array.from({ length: 4 }, (_, at) => begin(at, '203.0.113.7'))
  const other = begin(1, '203.0.113.8')
  const wait = (bytes: number) => {
    for (const { state } of [...slow, other]) {
      state.seen += '.'
      state.waitingBytes = bytes
    }
    vi.advanceTimersByTime(5000)
    return [...slow, other].map(({ state }) => state.cut)
  }
  expect(wait(16 * 1024 * 1024)).toEqual(['', '', '', '', ''])
  expect(wait(17 * 1024 * 1024)).toEqual(['', '', '', 'stuck', ''])
})

const mib = 1024 * 1024

test('S48 R54 the bytes that wait for one host’s islands are limited over all networks: the largest is cut first', () => {
  const { begin } = setUp()
  const ofHost = [31, 33, 30, 32, 5].map((size, at) => {
    const one = begin(10 + at, `203.0.113.${at}`)
    one.state.waitingBytes = size * mib
    return one
  })
  const ofOther = begin(20, '203.0.113.9')
  ofOther.state.waitingBytes = 60 * mib
  vi.advanceTimersByTime(1000)
  expect(ofHost.map(({ state }) => state.cut)).toEqual(['', 'stuck', '', '', ''])
  expect(ofOther.state.cut).toBe('')
})

test('S48 R54 all waiting bytes together are limited', () => {
  const { begin } = setUp()
  const slow = Array.from({ length: 9 }, (_, at) => {
    const one = begin(10 * at, `203.0.113.${at}`)
    one.state.waitingBytes = 30 * mib
    return one
  })
  vi.advanceTimersByTime(1000)
  // Among equal ones, the newest is cut.
  expect(slow.map(({ state }) => state.cut)).toEqual([
    ...Array.from({ length: 8 }, () => ''),
    'stuck',
  ])
})

test('R54 one network does not take all idle streams: one more counts as a request', () => {
  const { begin } = setUp()
  for (let count = 0; count < relayStreamsPerNetwork; count += 1) {
    begin(1, 'one').transfer?.mayRest()
  }
  for (let count = 0; count < relayRequestsPerNetwork; count += 1) {
    begin(1, 'one').transfer?.mayRest()
  }
  expect(begin(1, 'one').transfer).toBeUndefined()
  const resting = begin(1, 'other')
  resting.transfer?.mayRest()
  expect(begin(1, 'other').transfer).toBeDefined()
})
