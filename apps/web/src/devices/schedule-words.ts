import { type DeviceSchedule, readCron } from '@astropelago/contract/device-schedules'
import { plural, t } from '@lingui/core/macro'
import { formatList } from '../language/format.ts'
import { language } from '../language/language.ts'
import { duration } from '../ui/history-words.ts'

const dayMs = 86_400_000

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

const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
const sundayMs = Date.UTC(2023, 0, 1)

/** 'every day at 04:30 (Europe/Berlin)', or the expression if words would be longer */
export function atTimesText(
  schedule: Pick<Extract<DeviceSchedule, { kind: 'cron' }>, 'expression' | 'timeZone'>,
): string {
  const { expression } = schedule
  const zone = schedule.timeZone.replaceAll('_', ' ')
  const read = readCron(expression)
  if (typeof read === 'string') return t`at the times of ${expression} (${zone})`
  const { minutes, hours, days, months, weekdays } = read
  const isOnceADay = minutes.length === 1 && hours.length === 1
  if (!isOnceADay || days !== undefined || months.length < 12) {
    return t`at the times of ${expression} (${zone})`
  }
  const time = [...hours, ...minutes].map((part) => String(part).padStart(2, '0')).join(':')
  if (weekdays === undefined) return t`every day at ${time} (${zone})`
  const names = formatList(weekdays.map((day) => weekday.format(sundayMs + day * dayMs)))
  return t`every ${names} at ${time} (${zone})`
}

/** 'Reports every 15 minutes, with a grace period of 5 min.' */
export function scheduleText(schedule: DeviceSchedule): string {
  const often = schedule.kind === 'period' ? everyText(schedule.periodS) : atTimesText(schedule)
  const grace = duration(schedule.graceS)
  return schedule.graceS === 0
    ? t`Reports ${often}.`
    : t`Reports ${often}, with a grace period of ${grace}.`
}
