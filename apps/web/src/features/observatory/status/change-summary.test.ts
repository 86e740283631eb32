import { beforeEach, expect, test, vi } from 'vitest'
import { changeSentence, createChangeSummary } from './change-summary.ts'

const none = { cameOnline: 0, wentOffline: 0, added: 0, removed: 0 }

test.each([
  [{}, ''],
  [{ cameOnline: 1 }, '1 device came online'],
  [{ cameOnline: 3, wentOffline: 1 }, '3 devices came online, 1 went offline'],
  [{ wentOffline: 2 }, '2 devices went offline'],
  [{ added: 1, removed: 1 }, '1 device was added, 1 was removed'],
  [{ cameOnline: 1, added: 2, removed: 3 }, '1 device came online, 2 were added, 3 were removed'],
  [{ added: 12_345 }, '12,345 devices were added'],
])('%j reads as %j', (tally, sentence) => {
  expect(changeSentence({ ...none, ...tally })).toBe(sentence)
})

function setUp() {
  const said: string[] = []
  const summary = createChangeSummary((sentence) => said.push(sentence))
  const add = (tally: Partial<typeof none>) => summary.add({ ...none, ...tally })
  return { said, summary, add }
}

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

test('after a quiet time a change is announced at once', () => {
  const { said, add } = setUp()
  add({ cameOnline: 1 })
  expect(said).toEqual(['1 device came online'])
})

test('changes within the next 10 s are announced in one sentence after them', () => {
  const { said, add } = setUp()
  add({ cameOnline: 1 })
  vi.advanceTimersByTime(5000)
  add({ wentOffline: 2 })
  vi.advanceTimersByTime(4999)
  add({ wentOffline: 1, added: 1 })
  expect(said).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(said).toEqual(['1 device came online', '3 devices went offline, 1 was added'])
})

test('after 10 s without a change, the next one is announced at once', () => {
  const { said, add } = setUp()
  add({ cameOnline: 1 })
  vi.advanceTimersByTime(10_000)
  expect(said).toHaveLength(1)
  add({ cameOnline: 1 })
  expect(said).toHaveLength(2)
})

test('changes without a sentence are not announced and delay nothing', () => {
  const { said, add } = setUp()
  add({})
  add({ removed: 1 })
  expect(said).toEqual(['1 device was removed'])
})

test('a stopped summary announces nothing', () => {
  const { said, summary, add } = setUp()
  add({ added: 1 })
  add({ added: 1 })
  summary.stop()
  vi.advanceTimersByTime(60_000)
  expect(said).toHaveLength(1)
})
