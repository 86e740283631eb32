import { expect, test } from 'vitest'
import { relativeTime } from './time-ago.tsx'

const clockMs = Date.UTC(2030, 0, 31, 12)

test.each([
  [0, 'just now'],
  [4.9, 'just now'],
  [5, '5 seconds ago'],
  [59.9, '59 seconds ago'],
  [60, '1 minute ago'],
  [3599, '59 minutes ago'],
  [3600, '1 hour ago'],
  [86_399, '23 hours ago'],
  [86_400, '1 day ago'],
  [400 * 86_400, '400 days ago'],
])('%d seconds before reads %j', (seconds, text) => {
  expect(relativeTime(clockMs - seconds * 1000, clockMs)).toBe(text)
})

test('a time in the future is now', () => {
  expect(relativeTime(clockMs + 3_600_000, clockMs)).toBe('just now')
})
