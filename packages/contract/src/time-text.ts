/**
 * Formats times for people, on screens, on pages drawn by the server and in messages: 'Nov 27, 2026,
 * 14:05', or a part of it.
 */
interface TimeTextOptions {
  /** An IANA name; the reader's own zone by default. */
  readonly timeZone?: string
  /** The current time. If the year is the same, it is left out. */
  readonly nowMs?: number
}

// With `hour12: false`, Chromium before 124 writes 24:05.
const hour = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const day = { day: 'numeric', month: 'short' } as const
const year = { year: 'numeric' } as const
const weekday = { weekday: 'short' } as const
const zone = { timeZoneName: 'short' } as const
const forms = {
  hour,
  year,
  day,
  dayOfYear: { ...day, ...year },
  time: { ...day, ...hour },
  timeOfYear: { ...day, ...year, ...hour },
  weekday: { ...weekday, ...day },
  weekdayOfYear: { ...weekday, ...day, ...year },
  appointment: { ...weekday, ...day, ...year, ...hour, ...zone },
  whole: { ...weekday, ...day, ...year, ...hour, second: '2-digit', ...zone },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

let language = 'en'

/** For the web app, before it formats any time. What the server writes is English. */
export function writeTimesIn(chosen: string): void {
  language = chosen
}

/** Making one takes longer than using it a hundred times, and the first one takes Chromium 30 ms. */
const made = new Map<string, Intl.DateTimeFormat>()
/** There are some 400 zones. */
const madeMax = 2000

function write(form: keyof typeof forms, atMs: number, timeZone: string | undefined): string {
  const key = `${form} ${timeZone}`
  let format = made.get(key)
  if (format === undefined) {
    if (made.size >= madeMax) made.clear()
    format = new Intl.DateTimeFormat(language, { ...forms[form], timeZone })
    made.set(key, format)
  }
  return format.format(atMs)
}

function isOtherYear(atMs: number, { timeZone, nowMs }: TimeTextOptions): boolean {
  return nowMs === undefined || write('year', atMs, timeZone) !== write('year', nowMs, timeZone)
}

/** '14:05' */
export function hourText(atMs: number, timeZone?: string): string {
  return write('hour', atMs, timeZone)
}

/** 'Nov 27, 2026', or 'Nov 27' */
export function dayText(atMs: number, options: TimeTextOptions = {}): string {
  return write(isOtherYear(atMs, options) ? 'dayOfYear' : 'day', atMs, options.timeZone)
}

/** 'Fri, Nov 27, 2026', or 'Fri, Nov 27' */
export function weekdayText(atMs: number, options: TimeTextOptions = {}): string {
  return write(isOtherYear(atMs, options) ? 'weekdayOfYear' : 'weekday', atMs, options.timeZone)
}

/** 'Nov 27, 2026, 14:05', or 'Nov 27, 14:05' */
export function timeText(atMs: number, options: TimeTextOptions = {}): string {
  return write(isOtherYear(atMs, options) ? 'timeOfYear' : 'time', atMs, options.timeZone)
}

/** 'Fri, Nov 27, 2026, 14:05 GMT+1', for appointments */
export function appointmentText(atMs: number): string {
  return write('appointment', atMs, undefined)
}

/** 'Fri, Nov 27, 2026, 14:05:09 GMT+1', for tooltips */
export function wholeTimeText(atMs: number): string {
  return write('whole', atMs, undefined)
}
