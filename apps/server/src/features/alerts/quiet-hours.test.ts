import { hourText } from '@astropelago/contract/time-text'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quietUntilMs } from './quiet-hours.ts'

const overNight = { from: '22:00', to: '07:00' }

test.each([
  ['before them', 'UTC', overNight, '2026-01-01T21:59:59Z', '2026-01-01T21:59:59Z'],
  ['as they begin', 'UTC', overNight, '2026-01-01T22:00:00Z', '2026-01-02T07:00:00Z'],
  ['after midnight', 'UTC', overNight, '2026-01-02T03:12:34Z', '2026-01-02T07:00:00Z'],
  ['as they end', 'UTC', overNight, '2026-01-02T07:00:00Z', '2026-01-02T07:00:00Z'],
  ['by day', 'UTC', { from: '09:00', to: '17:30' }, '2026-01-02T16:00:00Z', '2026-01-02T17:30:00Z'],
  ['elsewhere', 'Asia/Kolkata', overNight, '2026-01-01T20:00:00Z', '2026-01-02T01:30:00Z'],
  ['clocks go forward', 'Europe/Berlin', overNight, '2026-03-28T23:00:00Z', '2026-03-29T05:00:00Z'],
  ['clocks go back', 'Europe/Berlin', overNight, '2026-10-24T22:00:00Z', '2026-10-25T06:00:00Z'],
  [
    'their end is passed over',
    'Europe/Berlin',
    { from: '22:00', to: '02:30' },
    '2026-03-28T23:00:00Z',
    '2026-03-29T01:00:00Z',
  ],
  [
    'all but a minute',
    'UTC',
    { from: '00:00', to: '23:59' },
    '2026-01-01T00:00:00Z',
    '2026-01-01T23:59:00Z',
  ],
])('[N8] quiet hours %s', (_, timeZone, quietHours, now, expected) => {
  const until = quietUntilMs(Date.parse(now), { quietHours, timeZone })
  expect(new Date(until).toISOString()).toBe(new Date(expected).toISOString())
})

/** Days with a clock change, and one without. */
const days = [
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['America/St_Johns', '2026-03-08T05:30:00Z'],
  ['America/St_Johns', '2026-11-01T04:30:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ['Asia/Kathmandu', '2026-06-01T12:00:00Z'],
] as const

const timeOfDay = fc
  .nat(1439)
  .map((minute) => new Date(minute * 60_000).toISOString().slice(11, 16))
const quietTimes = fc
  .record({ from: timeOfDay, to: timeOfDay })
  .filter(({ from, to }) => from !== to)

test('[N8] messages go out in the first minute after quiet hours, even if clocks change', () => {
  const secondsAround = fc.integer({ min: -90_000, max: 90_000 })
  fc.assert(
    fc.property(fc.constantFrom(...days), quietTimes, secondsAround, (day, quietHours, seconds) => {
      const [timeZone, change] = day
      const nowMs = Date.parse(change) + seconds * 1000
      const isLoud = (atMs: number) => {
        const shown = hourText(atMs, timeZone)
        const { from, to } = quietHours
        return from < to ? shown < from || shown >= to : shown < from && shown >= to
      }
      let expected = nowMs
      while (!isLoud(expected)) expected = Math.floor(expected / 60_000 + 1) * 60_000
      expect(quietUntilMs(nowMs, { quietHours, timeZone })).toBe(expected)
    }),
    { numRuns: 500 },
  )
})
