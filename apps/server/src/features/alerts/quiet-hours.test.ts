import { expect, test } from 'vitest'
import { quietUntilMs, timeText } from './quiet-hours.ts'

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

test('times are the zone’s', () => {
  expect(timeText(Date.parse('2026-01-31T23:30:00Z'), 'Europe/Berlin')).toBe('1 Feb, 00:30')
})
