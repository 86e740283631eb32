import { expect, test } from 'vitest'
import { scheduleText } from './schedule-words.ts'

test.each([
  ['30 3 * * *', 'every day at 03:30 (Europe/Berlin)'],
  ['5 14 * * 1', 'every Monday at 14:05 (Europe/Berlin)'],
  ['0 4 * * sat,7', 'every Sunday and Saturday at 04:00 (Europe/Berlin)'],
  // These are not once a day, or not on each such day.
  ['*/5 4 * * *', 'at the times of */5 4 * * * (Europe/Berlin)'],
  ['0 4 1 * *', 'at the times of 0 4 1 * * (Europe/Berlin)'],
  ['0 4 * 6 *', 'at the times of 0 4 * 6 * (Europe/Berlin)'],
])('%s is said in words if they are short: %s', (expression, words) => {
  const schedule = { kind: 'cron', expression, timeZone: 'Europe/Berlin', graceS: 3600 } as const
  expect(scheduleText(schedule)).toBe(`Reports ${words}, with a grace period of 1 h.`)
})
