import {
  appointmentText,
  dayText,
  hourText,
  timeText,
  weekdayText,
  wholeTimeText,
} from '@astropelago/contract/time-text'
import { useToday } from './use-today.ts'

interface LocalTimeProps {
  /** ISO 8601. */
  at: string
  /**
   * `short` leaves out the day where it is today, and the year where it is this one; `long` and `day` leave out
   * nothing; `hour` is for where the day stands above it; an `appointment` has the weekday and the time zone too.
   */
  form?: 'short' | 'long' | 'day' | 'hour' | 'appointment'
}

/** A time by its reader's own clock; the whole of it shows on hover. */
export function LocalTime({ at, form = 'short' }: LocalTimeProps) {
  const todayMs = useToday()
  const atMs = Date.parse(at)
  return (
    <time dateTime={at} title={wholeTimeText(atMs)} data-numeric>
      {form === 'short' ? shortTime(atMs, todayMs) : texts[form](atMs)}
    </time>
  )
}

const texts = {
  long: (atMs: number) => timeText(atMs),
  day: (atMs: number) => dayText(atMs),
  hour: (atMs: number) => hourText(atMs),
  appointment: appointmentText,
}

/** Today the hour, else the day too, and the year where it is another one. */
export function shortTime(atMs: number, todayMs: number): string {
  return daysBefore(atMs, todayMs) === 0 ? hourText(atMs) : timeText(atMs, { nowMs: todayMs })
}

/** What a day is called, seen from today: 'Today', 'Yesterday', 'Fri, Nov 20'. */
export function dayName(atMs: number, todayMs: number): string {
  const before = daysBefore(atMs, todayMs)
  if (before === 0) return 'Today'
  return before === 1 ? 'Yesterday' : weekdayText(atMs, { nowMs: todayMs })
}

const dayMs = 86_400_000

/** How many midnights lie between: a day of 23 or 25 hours is one all the same. */
function daysBefore(atMs: number, todayMs: number): number {
  return Math.round((todayMs - new Date(atMs).setHours(0, 0, 0, 0)) / dayMs)
}
