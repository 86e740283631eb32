import type { DeviceSchedule } from '@astropelago/contract/device-schedules'
import { describe, expect, test } from 'vitest'
import { deadlineRule } from './deadline-rule.ts'
import { deadlineMs, statusAt } from './status.ts'

const ms = (time: string) => Date.parse(`${time}Z`)
const iso = (atMs: number) => new Date(atMs).toISOString().slice(0, 16)
const rulesOf = (schedule: DeviceSchedule, outages: (readonly [string, string])[] = []) => ({
  windowMs: 1,
  outages: outages.map(([from, to]) => ({ fromMs: ms(from), toMs: ms(to) })),
  own: deadlineRule(JSON.stringify(schedule)),
})
const daily = (details: Partial<Extract<DeviceSchedule, { kind: 'cron' }>> = {}) => ({
  kind: 'cron' as const,
  expression: '30 2 * * *',
  timeZone: 'UTC',
  graceS: 600,
  ...details,
})

describe('[P11] a device with a period', () => {
  const every15 = { kind: 'period', periodS: 900, graceS: 300 } as const

  test('is online for its period and grace after a heartbeat, whatever the window is', () => {
    const rules = rulesOf(every15)
    const seenMs = ms('2026-03-01T12:00')
    expect(statusAt(ms('2026-03-01T12:19:59'), seenMs, rules)).toBe('online')
    expect(statusAt(ms('2026-03-01T12:20'), seenMs, rules)).toBe('offline')
  })

  test('[P5] gets its period and grace after an outage that begins before its deadline', () => {
    for (const [from, to, deadline] of [
      ['2026-03-01T12:19:59', '2026-03-01T13:00', '2026-03-01T13:20'],
      ['2026-03-01T12:20', '2026-03-01T13:00', '2026-03-01T12:20'],
      ['2026-03-01T11:00', '2026-03-01T11:59', '2026-03-01T12:20'],
    ] as const) {
      const rules = rulesOf(every15, [[from, to]])
      expect(iso(deadlineMs(ms('2026-03-01T12:00'), rules))).toBe(deadline)
    }
  })
})

const deadlineOf = (seen: string, ...outages: (readonly [string, string])[]) =>
  iso(deadlineMs(ms(seen), rulesOf(daily(), outages)))

describe('[P12] a device with a cron expression', () => {
  test('is online until the next time after its heartbeat, and its grace', () => {
    expect(deadlineOf('2026-03-01T02:30')).toBe('2026-03-02T02:40')
    expect(deadlineOf('2026-03-01T02:31')).toBe('2026-03-02T02:40')
    expect(deadlineOf('2026-03-01T12:00')).toBe('2026-03-02T02:40')
    expect(deadlineOf('2026-03-01T02:29')).toBe('2026-03-01T02:40')
  })

  test('may report some seconds early', () => {
    expect(deadlineOf('2026-03-01T02:29:30')).toBe('2026-03-02T02:40')
    expect(deadlineOf('2026-03-01T02:29:29')).toBe('2026-03-01T02:40')
  })

  test('[P5] need not have reported for a time in an outage', () => {
    expect(deadlineOf('2026-03-01T12:00', ['2026-03-02T02:00', '2026-03-02T02:35'])).toBe(
      '2026-03-03T02:40',
    )
    expect(deadlineOf('2026-03-01T12:00', ['2026-03-01T13:00', '2026-03-01T14:00'])).toBe(
      '2026-03-02T02:40',
    )
    const lasting = rulesOf(daily())
    const outages = [{ fromMs: ms('2026-03-01T13:00'), toMs: Number.POSITIVE_INFINITY }]
    expect(deadlineMs(ms('2026-03-01T12:00'), { ...lasting, outages })).toBe(Infinity)
    // Asking about another time in between changes no answer.
    expect(iso(deadlineMs(ms('2026-03-01T12:00'), lasting))).toBe('2026-03-02T02:40')
  })

  test('a heartbeat in the second of two such hours is not early for a time of the first', () => {
    const berlin = rulesOf(daily({ timeZone: 'Europe/Berlin', graceS: 0 }))
    expect(iso(deadlineMs(ms('2026-10-25T01:00'), berlin))).toBe('2026-10-26T01:30')
    expect(iso(deadlineMs(ms('2026-10-25T00:00'), berlin))).toBe('2026-10-25T00:30')
  })
})
