import { spawnSync } from 'node:child_process'
import type { DeviceSchedule } from '@astropelago/contract/device-schedules'
import { describe, expect, test } from 'vitest'
import { cadenceOf } from './cadence.ts'
import { linuxHeartbeat } from './heartbeat-guides.ts'
import { sampleHeartbeat } from './testing/sample-heartbeat.ts'

const every = (periodS: number, graceS = 300): DeviceSchedule => ({
  kind: 'period',
  periodS,
  graceS,
})
const byCron = (expression: string, graceS = 600): DeviceSchedule => ({
  kind: 'cron',
  expression,
  timeZone: 'Europe/Berlin',
  graceS,
})

test.each([
  ['nothing else', null, 120, '*/2 * * * *', 'every 2 minutes'],
  ['every minute', every(60), 60, '* * * * *', 'every minute'],
  ['every 15 minutes', every(900), 900, '*/15 * * * *', 'every 15 minutes'],
  ['every 7 minutes', every(420), 360, '*/6 * * * *', 'every 6 minutes'],
  ['every 90 minutes', every(5400), 3600, '0 * * * *', 'every hour'],
  ['every day', every(86_400), 86_400, '0 0 * * *', 'every 24 hours'],
  ['every week', every(604_800), 86_400, '0 0 * * *', 'every 24 hours'],
  // Otherwise a slow start would be too late.
  ['every 15 minutes without grace', every(900, 0), 720, '*/12 * * * *', 'every 12 minutes'],
  ['every minute without grace', every(60, 0), 60, '* * * * *', 'every minute'],
])('for %s, commands report in time', (_, schedule, seconds, cron, words) => {
  expect(cadenceOf(schedule)).toMatchObject({ seconds, cron, words, moreFollow: words })
})

describe('at the times of a cron expression', () => {
  test.each([
    ['30 4 * * *', ['*-*-* 04:30:00']],
    ['*/30 9-10 1,15 jan *', ['*-01-01,15 09,10:00,30:00']],
    ['0 0 * * mon-wed', ['Mon,Tue,Wed *-*-* 00:00:00']],
    ['0 0 1 * sun', ['*-*-01 00:00:00', 'Sun *-*-* 00:00:00']],
  ])('cron has it as it is, and systemd has the same times of %s', (expression, calendars) => {
    const { cron, timer } = cadenceOf(byCron(expression))
    expect(cron).toBe(expression)
    const lines = calendars.map((calendar) => `OnCalendar=${calendar} Europe/Berlin`)
    expect(timer).toEqual([...lines, 'Persistent=true'])
  })

  test('the paste and what it installs say so, and a late start fits into the grace period', () => {
    const offsetSeconds = 100
    const input = { ...sampleHeartbeat('https://sky.example'), offsetSeconds }
    const guide = linuxHeartbeat({ ...input, schedule: byCron('30 4 * * *', 60) })
    const [, timer, line] = guide.installs.map(({ text }) => text)
    expect(timer).toContain('OnCalendar=*-*-* 04:30:00 Europe/Berlin\nPersistent=true\n')
    expect(line).toMatch(/^30 4 \* \* \* sleep 30; curl /)
    expect(guide.steps[0]?.text).toContain('this device reports at the times of 30 4 * * *')
    expect(guide.notes.join('\n')).toContain('in the time zone of the device')
  })
})

const systemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.runIf(systemd)('systemd reads these times', () => {
  for (const expression of ['*/7 */5 2-9 feb,mar fri-sun', '30 4 * * *', '* * * * *']) {
    for (const line of cadenceOf(byCron(expression)).timer) {
      const [name, calendar = ''] = line.split('=')
      if (name !== 'OnCalendar') continue
      const { status, stderr } = spawnSync('systemd-analyze', ['calendar', calendar])
      expect([calendar, status, String(stderr)]).toEqual([calendar, 0, ''])
    }
  }
})
