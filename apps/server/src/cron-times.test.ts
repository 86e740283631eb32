import { readCron } from '@astropelago/contract/device-schedules'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CronTimes } from './cron-times.ts'
import { propertyRuns } from './test/property-runs.ts'

const ms = (time: string) => Date.parse(`${time}Z`)
const iso = (atMs: number) => new Date(atMs).toISOString().slice(0, 16)

/** The next times, as many as are expected. */
function timesAfter(cron: string, zone: string, after: string, count: number): string[] {
  const times = new CronTimes(cron, zone)
  const found: number[] = []
  while (found.length < count) found.push(times.nextMs(found.at(-1) ?? ms(after)))
  return found.map(iso)
}

const minuteMs = 60_000
const field = (max: number) =>
  fc.oneof(
    fc.constant('*'),
    fc.integer({ min: 0, max }).map(String),
    fc.integer({ min: 1, max: 5 }).map((step) => `*/${step}`),
  )

/** The same by asking of each minute: undefined if none of a day is a time of the expression. */
function nextByWalking(cron: string, zone: string, afterMs: number): string | undefined {
  const times = readCron(cron)
  if (typeof times === 'string') throw new Error(times)
  const format = new Intl.DateTimeFormat('sv', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const seen = new Set<string>()
  for (let atMs = afterMs - 180 * minuteMs; atMs < afterMs + 1440 * minuteMs; atMs += minuteMs) {
    const wall = format.format(atMs)
    const [, month = 0, day = 0, hour = -1, minute = -1] = wall.split(/[- :]/).map(Number)
    const isDay = times.days?.includes(day)
    const isWeekday = times.weekdays?.includes(new Date(`${wall.slice(0, 10)}T00:00Z`).getUTCDay())
    const isTime =
      times.minutes.includes(minute) &&
      times.hours.includes(hour) &&
      times.months.includes(month) &&
      (times.days && times.weekdays ? isDay || isWeekday : (isDay ?? isWeekday ?? true))
    if (isTime && atMs > afterMs && !seen.has(wall)) return iso(atMs)
    seen.add(wall)
  }
  return undefined
}

describe('[P12] a cron expression', () => {
  test.each([
    ['Europe/Berlin', '30 2 * * *', '2026-03-28T12:00', ['2026-03-30T00:30', '2026-03-31T00:30']],
    ['America/New_York', '30 2 * * *', '2026-03-07T12:00', ['2026-03-09T06:30']],
    // The others of that day stay where they are.
    ['Europe/Berlin', '30 1-3 * * *', '2026-03-29T00:00', ['2026-03-29T00:30', '2026-03-29T01:30']],
  ])('in %s, %s is not expected when daylight saving skips it', (zone, cron, after, times) => {
    expect(timesAfter(cron, zone, after, times.length)).toEqual(times)
  })

  test.each([
    ['Europe/Berlin', '30 2 * * *', '2026-10-24T12:00', ['2026-10-25T00:30', '2026-10-26T01:30']],
    [
      'America/New_York',
      '30 1 * * *',
      '2026-10-31T12:00',
      ['2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    ['Europe/Berlin', '0 2,3 * * *', '2026-10-24T12:00', ['2026-10-25T00:00', '2026-10-25T02:00']],
  ])('in %s, %s is expected once when that hour comes twice', (zone, cron, after, times) => {
    expect(timesAfter(cron, zone, after, times.length)).toEqual(times)
  })
  test('is expected at each minute that matches, the first time that it comes', () => {
    const change = fc.constantFrom(
      ['Europe/Berlin', '2026-03-28T22:00'],
      ['Europe/Berlin', '2026-10-24T22:00'],
      ['America/New_York', '2026-03-08T04:00'],
      ['America/New_York', '2026-11-01T03:00'],
      ['Asia/Kathmandu', '2026-01-01T00:00'],
    )
    const days = fc.constantFrom('* * *', '* * sat', '29 * *', '* 3,10 sun', '1 * sun')
    const expression = fc.tuple(field(59), field(5), days).map((fields) => fields.join(' '))
    fc.assert(
      fc.property(expression, change, fc.nat(720), (cron, [zone = '', from = ''], minutes) => {
        const afterMs = ms(from) + minutes * minuteMs
        const next = new CronTimes(cron, zone).nextMs(afterMs)
        const isWithinDay = next < afterMs + 1440 * minuteMs
        expect(isWithinDay ? iso(next) : undefined).toBe(nextByWalking(cron, zone, afterMs))
      }),
      { numRuns: propertyRuns(150) },
    )
  })

  test('can be about days that come every eighth year', () => {
    expect(timesAfter('0 0 29 2 *', 'UTC', '2096-03-01T00:00', 1)).toEqual(['2104-02-29T00:00'])
  })
})
