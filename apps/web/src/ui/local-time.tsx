import {
  appointmentText,
  dayText,
  hourText,
  timeText,
  weekdayText,
  wholeTimeText,
} from '@astropelago/contract/time-text'
import { t } from '@lingui/core/macro'
import { useSyncExternalStore } from 'react'

interface LocalTimeProps {
  at: string
  /** `short` omits today and this year. `appointment` adds the weekday and time zone. */
  form?: 'short' | 'long' | 'day' | 'hour' | 'appointment'
}

/** The full time shows on hover. */
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

/** Omits the day if it is today, and the year if it is this one. */
export function shortTime(atMs: number, todayMs: number): string {
  return daysBefore(atMs, todayMs) === 0 ? hourText(atMs) : timeText(atMs, { nowMs: todayMs })
}

/** 'Today', 'Yesterday', 'Fri, Nov 20' */
export function dayName(atMs: number, todayMs: number): string {
  const before = daysBefore(atMs, todayMs)
  if (before === 0) return t`Today`
  return before === 1 ? t`Yesterday` : weekdayText(atMs, { nowMs: todayMs })
}

const dayMs = 86_400_000

/** The number of midnights in between. Rounding makes a day of 23 or 25 hours count as one. */
function daysBefore(atMs: number, todayMs: number): number {
  return Math.round((todayMs - new Date(atMs).setHours(0, 0, 0, 0)) / dayMs)
}

const startOfToday = () => new Date().setHours(0, 0, 0, 0)

/** The start of today in the reader's time zone, in milliseconds. */
export function useToday(): number {
  return useSyncExternalStore(atMidnight, startOfToday, startOfToday)
}

function atMidnight(onChange: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    const midnight = new Date().setHours(24, 0, 0, 0)
    timer = setTimeout(() => {
      onChange()
      wait()
    }, midnight - Date.now())
  }
  wait()
  return () => clearTimeout(timer)
}
