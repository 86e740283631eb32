import type { AlertRules } from '@astropelago/contract/alert-rules'
import { hourText } from '@astropelago/contract/time-text'

const minuteMs = 60_000
const dayMinutes = 1440

/**
 * When messages may go out: now, or at the end of the quiet hours ([N8]). Quiet hours follow the local
 * clock, even when it is put forward or back meanwhile.
 */
export function quietUntilMs(
  nowMs: number,
  { quietHours, timeZone }: Pick<AlertRules, 'quietHours' | 'timeZone'>,
): number {
  if (quietHours === null) return nowMs
  const [from, to] = [minuteOf(quietHours.from), minuteOf(quietHours.to)]
  const isQuiet = (atMs: number) => {
    const minute = minuteAt(atMs, timeZone)
    return from < to ? minute >= from && minute < to : minute >= from || minute < to
  }
  if (!isQuiet(nowMs)) return nowMs
  // Offsets of time zones are whole minutes.
  let minute = Math.floor(nowMs / minuteMs)
  for (;;) {
    const end = minute + minutesUntil(to, minute, timeZone)
    const change = clockChange(minute, end, timeZone)
    if (change === undefined) return end * minuteMs
    if (!isQuiet(change * minuteMs)) return change * minuteMs
    minute = change
  }
}

/**
 * Minutes from `minute` until the clock shows `minuteOfDay`, past midnight if need be, with no clock change
 * between.
 */
function minutesUntil(minuteOfDay: number, minute: number, timeZone: string): number {
  const left = minuteOfDay - minuteAt(minute * minuteMs, timeZone)
  return (left + dayMinutes) % dayMinutes
}

/**
 * The first minute after the clock is put forward or back, if it is. There is at most one such change
 * within a day.
 */
function clockChange(from: number, to: number, timeZone: string): number | undefined {
  const offsetAt = (minute: number) => minutesUntil(minute % dayMinutes, minute, timeZone)
  const before = offsetAt(from)
  if (offsetAt(to) === before) return undefined
  let [low, high] = [from, to]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle) === before) low = middle
    else high = middle
  }
  return high
}

function minuteAt(atMs: number, timeZone: string): number {
  return minuteOf(hourText(atMs, timeZone))
}

function minuteOf(text: string): number {
  const [hours, minutes] = text.split(':')
  return Number(hours) * 60 + Number(minutes)
}
