import { expect, test } from 'vitest'
import { maintenanceProblem } from './alert-maintenance.ts'

const dayMs = 86_400_000
const nowMs = Date.parse('2030-01-02T03:04:05.000Z')

test.each([
  [0, 30, undefined],
  [0, 30.1, { until: 'It is at most 30 days long.' }],
  // The part before now does not count.
  [-1, 30, undefined],
  [-2, -1, { until: 'It ends after it begins, and after now.' }],
  [0, 0, { until: 'It ends after it begins, and after now.' }],
  [3, 2, { until: 'It ends after it begins, and after now.' }],
  [365, 366, undefined],
  [365.1, 366, { from: 'It begins within 365 days.' }],
])('maintenance from day %s until day %s: %j', (from, until, problem) => {
  const times = { fromMs: nowMs + from * dayMs, untilMs: nowMs + until * dayMs }
  expect(maintenanceProblem(times, nowMs)).toEqual(problem)
})
