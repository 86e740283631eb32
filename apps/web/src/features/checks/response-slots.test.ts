import { expect, test } from 'vitest'
import { drawingOf, scaleOf, slotOf, slotsOf } from './response-slots.ts'

const noon = Date.parse('2026-03-01T12:05:00Z')
const sample = (minutesAgo: number, tookMs: number | null) => ({
  at: new Date(noon - minutesAgo * 60_000).toISOString(),
  tookMs,
})

test('samples are counted by the quarter of an hour, the last one with now in it', () => {
  const slots = slotsOf([sample(1, 80), sample(2, null), sample(20, 90), sample(2000, 1)], noon)
  expect(slots.length).toBe(96)
  expect(slots.at(-1)).toEqual({
    p50Ms: 80,
    p95Ms: 80,
    failures: 1,
    fromMs: Date.parse('2026-03-01T12:00:00Z'),
  })
  expect(slots.at(-2)).toMatchObject({ p50Ms: 90, failures: 0 })
  expect(slots.slice(0, -2).every(({ p50Ms }) => p50Ms === null)).toBe(true)
})

test('the usual answer is the median, and 95% are within the slowest of twenty but one', () => {
  const samples = Array.from({ length: 20 }, (_, index) => sample(index, 20 - index))
  expect(slotOf(samples)).toEqual({ p50Ms: 10, p95Ms: 19, failures: 0 })
  expect(slotOf([])).toEqual({ p50Ms: null, p95Ms: null, failures: 0 })
})

test.each([
  [0, 10],
  [3, 10],
  [84, 100],
  [100, 100],
  [101, 150],
  [3200, 4000],
])('a drawing up to %d ms ends at %d', (most, top) => {
  expect(scaleOf([0, most, null])).toBe(top)
})

test('slots without an answer are gaps, and failures are ticks', () => {
  const none = { p50Ms: null, p95Ms: null, failures: 1 }
  const answer = { p50Ms: 50, p95Ms: 100, failures: 0 }
  expect(drawingOf([answer, none, answer, answer], 100)).toEqual({
    line: 'M0 50L125 50L250 50M500 50L625 50L875 50L1000 50',
    band: 'M0 50L125 50L250 50L250 0L125 0L0 0zM500 50L625 50L875 50L1000 50L1000 0L875 0L625 0L500 0z',
    ticks: 'M375 100v-8',
  })
})
