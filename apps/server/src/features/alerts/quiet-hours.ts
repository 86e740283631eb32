import type { AlertRules } from '@astropelago/contract/alert-rules'

const minuteMs = 60_000
const dayMinutes = 1440
const formats = new Map<string, Intl.DateTimeFormat>()
/** There are some 400 zones. */
const formatsKept = 500

/**
 * When messages may go out: now, or at the end of the quiet hours ([N8]). Clocks that are put forward or back
 * meanwhile are followed: what counts is what they show.
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
  // Offsets of zones are whole minutes.
  let minute = Math.floor(nowMs / minuteMs)
  for (;;) {
    const end = minute + minutesUntil(to, minute, timeZone)
    const change = clockChange(minute, end, timeZone)
    if (change === undefined) return end * minuteMs
    if (!isQuiet(change * minuteMs)) return change * minuteMs
    minute = change
  }
}

/** As the clocks go that show `minute`, past midnight where it is earlier. */
function minutesUntil(minuteOfDay: number, minute: number, timeZone: string): number {
  const left = minuteOfDay - minuteAt(minute * minuteMs, timeZone)
  return (left + dayMinutes) % dayMinutes
}

/** The first minute that clocks which are put forward or back show; there is no second one within a day. */
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

/** Such as "23 Nov, 14:03". */
export function timeText(atMs: number, timeZone: string): string {
  return formatOf(timeZone).format(atMs)
}

function minuteAt(atMs: number, timeZone: string): number {
  return minuteOf(formatOf(timeZone).format(atMs).slice(-5))
}

function minuteOf(text: string): number {
  const [hours, minutes] = text.split(':')
  return Number(hours) * 60 + Number(minutes)
}

/** Making one takes longer than using it a hundred times. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  if (formats.size >= formatsKept) formats.clear()
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(timeZone, format)
  return format
}
