import type { DeviceSchedule } from '@astropelago/contract/device-schedules'
import { plural, t } from '@lingui/core/macro'
import { duration } from '../ui/history-words.ts'

const units = [
  {
    s: 86_400,
    text: (count: number) => plural(count, { one: 'every day', other: 'every # days' }),
  },
  {
    s: 3600,
    text: (count: number) => plural(count, { one: 'every hour', other: 'every # hours' }),
  },
  {
    s: 60,
    text: (count: number) => plural(count, { one: 'every minute', other: 'every # minutes' }),
  },
] as const

/** 'every 15 minutes' */
export function everyText(seconds: number): string {
  const unit = units.find(({ s }) => seconds % s === 0)
  if (unit !== undefined) return unit.text(seconds / unit.s)
  const time = duration(seconds)
  return t`every ${time}`
}

/** 'at the times of 30 4 * * 1 (Europe/Berlin)' */
export function atTimesText(schedule: Extract<DeviceSchedule, { kind: 'cron' }>): string {
  const { expression } = schedule
  const zone = schedule.timeZone.replaceAll('_', ' ')
  return t`at the times of ${expression} (${zone})`
}

/** 'Reports every 15 minutes, with a grace period of 5 min.' */
export function scheduleText(schedule: DeviceSchedule): string {
  const often = schedule.kind === 'period' ? everyText(schedule.periodS) : atTimesText(schedule)
  const grace = duration(schedule.graceS)
  return schedule.graceS === 0
    ? t`Reports ${often}.`
    : t`Reports ${often}, with a grace period of ${grace}.`
}
