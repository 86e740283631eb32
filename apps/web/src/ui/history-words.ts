import { weekdayText } from '@astropelago/contract/time-text'
import { plural, t } from '@lingui/core/macro'
import { formatPercent } from '../language/format.ts'
import {
  type DrawnDay,
  type HistoryDay,
  type HistorySpan,
  type StateWords,
  sumOfDays,
  uptimeOf,
} from './history-days.ts'

// Days are the server's, in UTC, regardless of the reader's time zone.
const timeZone = 'UTC'

/** @param day `YYYY-MM-DD`, within the last 90 days */
export function dayOfWeek(day: string): string {
  return weekdayText(Date.parse(day), { timeZone, nowMs: Date.parse(day) })
}

/** @param day `YYYY-MM-DD` */
export function wholeDay(day: string): string {
  return weekdayText(Date.parse(day), { timeZone })
}

export const windowNames = {
  '24h': t`24 hours`,
  '7d': t`7 days`,
  '30d': t`30 days`,
  '90d': t`90 days`,
} as const

export const windowHours = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24, '90d': 90 * 24 } as const

const units = [
  { s: 86_400, text: (count: number) => t`${count} d` },
  { s: 3600, text: (count: number) => t`${count} h` },
  { s: 60, text: (count: number) => t`${count} min` },
  { s: 1, text: (count: number) => t`${count} s` },
] as const

/** '2 h 5 min' */
export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  const first = units.findIndex(({ s }) => whole >= s)
  const [large, small] = first === -1 ? [] : units.slice(first, first + 2)
  if (large === undefined) return t`0 s`
  const rest = small === undefined ? 0 : Math.floor((whole % large.s) / small.s)
  const text = large.text(Math.floor(whole / large.s))
  return small === undefined || rest === 0 ? text : `${text} ${small.text(rest)}`
}

/** '99.31% online, offline 10 min, 2 changes' */
export function dayText({ seen }: Pick<DrawnDay, 'seen'>, words: StateWords): string {
  return seen === undefined ? t`Nothing known` : seenText(seen, words)
}

export function daysText(days: readonly HistoryDay[], words: StateWords): string {
  return days.length === 0 ? t`Nothing known` : seenText(sumOfDays(days), words)
}

/** Describes how long each state lasted, without saying when. */
export function spansText(spans: readonly HistorySpan[], words: StateWords): string {
  const lasted = { up: 0, down: 0, unobserved: 0 }
  for (const { state, from, to } of spans) {
    lasted[state] += (Date.parse(to) - Date.parse(from)) / 1000
  }
  const up = lasted.up === 0 ? [] : [words.upTime(duration(lasted.up))]
  const others = { downS: lasted.down, unobservedS: lasted.unobserved }
  return withOthers(up, others, words).join(', ')
}

function seenText(seen: Omit<HistoryDay, 'day'>, words: StateWords): string {
  const { flips } = seen
  const uptime = uptimeOf(seen)
  const up = uptime === null ? [] : [words.upShare(formatPercent(uptime))]
  const parts = withOthers(up, seen, words)
  if (flips > 0) parts.push(plural(flips, { one: '# change', other: '# changes' }))
  return parts.length === 0 ? t`Nothing known` : parts.join(', ')
}

/** Adds the time in the other states. */
function withOthers(
  up: readonly string[],
  { downS, unobservedS }: Pick<HistoryDay, 'downS' | 'unobservedS'>,
  words: StateWords,
): string[] {
  const texts = [...up]
  if (downS > 0) texts.push(words.downTime(duration(downS), texts.length === 0))
  if (unobservedS > 0) {
    const time = duration(unobservedS)
    texts.push(texts.length === 0 ? t`Not observed ${time}` : t`not observed ${time}`)
  }
  return texts
}
