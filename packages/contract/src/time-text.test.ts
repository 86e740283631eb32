import { expect, test } from 'vitest'
import { dayText, hourText, timeText, weekdayText } from './time-text.ts'

const timeZone = 'Europe/Berlin'
/** Half past midnight in Berlin, and still the year before in UTC. */
const atMs = Date.parse('2025-12-31T23:30:00Z')
const nowMs = Date.parse('2026-06-01T12:00:00Z')

test('times are those of the zone, and leave out the year where it is this one there', () => {
  expect(hourText(atMs, timeZone)).toBe('00:30')
  expect(timeText(atMs, { timeZone })).toBe('Jan 1, 2026, 00:30')
  expect(timeText(atMs, { timeZone, nowMs })).toBe('Jan 1, 00:30')
  expect(timeText(atMs, { timeZone: 'UTC', nowMs })).toBe('Dec 31, 2025, 23:30')
  expect([dayText(atMs, { timeZone }), dayText(atMs, { timeZone, nowMs })]).toEqual([
    'Jan 1, 2026',
    'Jan 1',
  ])
  expect([weekdayText(atMs, { timeZone }), weekdayText(atMs, { timeZone, nowMs })]).toEqual([
    'Thu, Jan 1, 2026',
    'Thu, Jan 1',
  ])
})
