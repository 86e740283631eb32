import { expect, test } from 'vitest'
import { ServiceHealth } from './service-health.ts'

const noonMs = Date.parse('2026-03-01T12:00:00Z')
const minuteMs = 60_000

function setUp() {
  let nowMs = noonMs
  const health = new ServiceHealth(() => nowMs)
  return {
    health,
    at: (ms: number) => {
      nowMs = noonMs + ms
    },
  }
}

test('a failure holds since its first request, until an answer or another failure', () => {
  const { health, at } = setUp()
  expect(health.failing(1)).toBeNull()
  health.recordFailure(1, 'refused')
  at(minuteMs)
  health.recordFailure(1, 'refused')
  expect(health.failing(1)).toEqual({ why: 'refused', sinceMs: noonMs })
  expect(health.checkedMs(1)).toBe(noonMs + minuteMs)
  health.recordFailure(1, 'timeout')
  expect(health.failing(1)).toEqual({ why: 'timeout', sinceMs: noonMs + minuteMs })
  expect(health.failing(2)).toBeNull()
  health.recordAnswer(1)
  expect(health.failing(1)).toBeNull()
})

test('visits are counted since the server began, then by the day', () => {
  const { health, at } = setUp()
  health.countVisit(1)
  at(11 * 60 * minuteMs)
  health.countVisit(1)
  expect(health.visits(1)).toEqual({ count: 2, sinceMs: noonMs })
  expect(health.visits(2)).toEqual({ count: 0, sinceMs: noonMs })
  at(12 * 60 * minuteMs)
  const midnightMs = noonMs + 12 * 60 * minuteMs
  expect(health.visits(1)).toEqual({ count: 0, sinceMs: midnightMs })
  health.countVisit(1)
  expect(health.visits(1)).toEqual({ count: 1, sinceMs: midnightMs })
})
