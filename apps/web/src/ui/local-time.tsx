import { useToday } from './use-today.ts'

// Of `hour12: false` Chromium before 124 makes 24:05.
const hour = lazyFormat({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const day = lazyFormat({ day: 'numeric', month: 'short' })
const dayOfYear = lazyFormat({ day: 'numeric', month: 'short', year: 'numeric' })
const weekday = lazyFormat({ weekday: 'long', day: 'numeric', month: 'long' })
const full = lazyFormat({ dateStyle: 'full', timeStyle: 'long' })
const appointment = lazyFormat({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
})

/** The first one that a page makes takes Chromium 30 ms: none is made before there is a time to show. */
function lazyFormat(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  let made: Intl.DateTimeFormat | undefined
  return (date) => (made ??= new Intl.DateTimeFormat('en', options)).format(date)
}

interface LocalTimeProps {
  /** ISO 8601. */
  at: string
  /** `hour`: where the day stands above it; `appointment`: all of it, with the time zone. */
  form?: 'short' | 'hour' | 'appointment'
}

/** A time by its reader's own clock; the whole of it shows on hover. */
export function LocalTime({ at, form = 'short' }: LocalTimeProps) {
  const todayMs = useToday()
  const date = new Date(at)
  const text =
    form === 'short' ? shortTime(date, todayMs) : (form === 'hour' ? hour : appointment)(date)
  return (
    <time dateTime={at} title={full(date)} data-numeric>
      {text}
    </time>
  )
}

/** Today the hour, else the day too, and the year where it is another one. */
export function shortTime(date: Date, todayMs: number): string {
  if (daysBefore(date, todayMs) === 0) return hour(date)
  const isThisYear = date.getFullYear() === new Date(todayMs).getFullYear()
  return `${(isThisYear ? day : dayOfYear)(date)}, ${hour(date)}`
}

/** What a day is called, seen from today: 'Today', 'Yesterday', 'Friday, November 20'. */
export function dayName(date: Date, todayMs: number): string {
  const before = daysBefore(date, todayMs)
  if (before === 0) return 'Today'
  if (before === 1) return 'Yesterday'
  const isThisYear = date.getFullYear() === new Date(todayMs).getFullYear()
  return (isThisYear ? weekday : dayOfYear)(date)
}

const dayMs = 86_400_000

/** How many midnights lie between: a day of 23 or 25 hours is one all the same. */
function daysBefore(date: Date, todayMs: number): number {
  return Math.round((todayMs - new Date(date).setHours(0, 0, 0, 0)) / dayMs)
}
