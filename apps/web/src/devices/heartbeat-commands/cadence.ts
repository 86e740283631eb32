import {
  type CronFields,
  type DeviceSchedule,
  readCron,
} from '@astropelago/contract/device-schedules'
import { heartbeatSlackS } from '@astropelago/contract/limits'

/** How often commands report. Its words are those that commands print, in English. */
export interface Cadence {
  readonly seconds: number
  readonly moreFollow: string
  /** What systemd and cron do, which can start something at certain times. */
  readonly timer: readonly string[]
  readonly cron: string
  readonly words: string
  /** The longest delay by which devices spread their reports. */
  readonly maxDelayS: number
}

const minuteS = 60
const hourS = 3600
const usualS = 120
/** Cron can start something this often, always after the same time. */
const evenS = [
  ...[1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30].map((minutes) => minutes * minuteS),
  ...[1, 2, 3, 4, 6, 8, 12, 24].map((hours) => hours * hourS),
]

/** Commands follow a period, or report somewhat more often. */
export function cadenceOf(schedule: DeviceSchedule | null): Cadence {
  const times = schedule?.kind === 'cron' ? readCron(schedule.expression) : ''
  if (schedule?.kind === 'cron' && typeof times !== 'string') {
    const { expression, timeZone, graceS } = schedule
    return {
      // What can't start at certain times reports more often.
      ...cadenceOf(null),
      timer: [...calendarOf(times, timeZone), 'Persistent=true'],
      cron: expression,
      words: `at the times of ${expression}`,
      maxDelayS: graceS / 2,
    }
  }
  const period = schedule?.kind === 'period' ? schedule : { periodS: usualS, graceS: minuteS }
  const latestS = period.periodS + Math.min(0, period.graceS - heartbeatSlackS)
  const seconds = evenS.findLast((each) => each <= latestS) ?? minuteS
  const [count, unit] = seconds < hourS ? [seconds / minuteS, 'min'] : [seconds / hourS, 'h']
  const name = unit === 'min' ? 'minute' : 'hour'
  const words = count === 1 ? `every ${name}` : `every ${count} ${name}s`
  return {
    seconds,
    moreFollow: words,
    timer: ['OnBootSec=30s', `OnUnitActiveSec=${count}${unit}`],
    cron: cronOf(count, unit === 'min'),
    words,
    maxDelayS: seconds,
  }
}

function cronOf(count: number, isMinutes: boolean): string {
  const each = count === 1 ? '*' : `*/${count}`
  if (isMinutes) return `${each} * * * *`
  return count === 24 ? '0 0 * * *' : `0 ${each} * * *`
}

const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Lines of a timer for the same times. systemd requires both kinds of days, where cron wants either. */
function calendarOf(
  { minutes, hours, days, months, weekdays }: CronFields,
  timeZone: string,
): string[] {
  const line = (onDays: typeof days, onWeekdays: typeof weekdays) => {
    const names = onWeekdays?.map((day) => weekdayNames[day]).join(',')
    const date = `*-${calendarList(months, 12)}-${calendarList(onDays, 31)}`
    const time = `${calendarList(hours, 24)}:${calendarList(minutes, 60)}:00`
    return `OnCalendar=${names === undefined ? '' : `${names} `}${date} ${time} ${timeZone}`
  }
  if (days === undefined || weekdays === undefined) return [line(days, weekdays)]
  return [line(days, undefined), line(undefined, weekdays)]
}

function calendarList(values: readonly number[] | undefined, all: number): string {
  if (values === undefined || values.length === all) return '*'
  return values.map((value) => String(value).padStart(2, '0')).join(',')
}
