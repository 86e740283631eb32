import { expect, test, vi } from 'vitest'
import { dayName, shortTime } from './local-time.tsx'

// Months count from 0. Hours are in the machine's time zone, like a reader's.
const today = new Date(2026, 10, 22).getTime()

test.each([
  [new Date(2026, 10, 22, 0, 5), '00:05', 'Today'],
  [new Date(2026, 10, 21, 23, 59), 'Nov 21, 23:59', 'Yesterday'],
  [new Date(2026, 10, 20, 12, 0), 'Nov 20, 12:00', 'Fri, Nov 20'],
  [new Date(2025, 11, 31, 8, 0), 'Dec 31, 2025, 08:00', 'Wed, Dec 31, 2025'],
])('%s has its shortest clear form', (date, short, day) => {
  expect(shortTime(date.getTime(), today)).toBe(short)
  expect(dayName(date.getTime(), today)).toBe(day)
})

test('a page without times makes no formatter, because the first takes 30 ms', async () => {
  vi.resetModules()
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  const fresh = await import('./local-time.tsx')
  expect(made).not.toHaveBeenCalled()
  fresh.shortTime(today, today)
  expect(made).toHaveBeenCalledOnce()
  // With this, every browser writes the hour after midnight as 00.
  expect(made).toHaveBeenCalledWith('en', expect.objectContaining({ hourCycle: 'h23' }))
  made.mockRestore()
})
