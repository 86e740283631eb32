import { t } from '@lingui/core/macro'
import { percent } from '@astropelago/contract/percent'
import { weekdayText } from '@astropelago/contract/time-text'
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
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
} as const

export const windowHours = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24, '90d': 90 * 24 } as const

const units = [
  { s: 86_400, sign: 'd' },
  { s: 3600, sign: 'h' },
  { s: 60, sign: 'min' },
  { s: 1, sign: 's' },
] as const

/** '2 h 5 min' */
export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  const first = units.findIndex(({ s }) => whole >= s)
  const [large, small] = first === -1 ? [] : units.slice(first, first + 2)
  if (large === undefined) return '0 s'
  const rest = small === undefined ? 0 : Math.floor((whole % large.s) / small.s)
  const text = `${Math.floor(whole / large.s)} ${large.sign}`
  return small === undefined || rest === 0 ? text : `${text} ${rest} ${small.sign}`
}

/** '99.31% online, offline 10 min, 2 changes' */
export function dayText({ seen }: Pick<DrawnDay, 'seen'>, words: StateWords): string {
  return seen === undefined ? t`Nothing known` : seenText(seen, words)
}

export function daysText(days: readonly HistoryDay[], words: StateWords): string {
  return days.length === 0 ? t`Nothing known` : seenText(sumOfDays(days), words)
}

/** Describes how long each state lasted, without saying when. */
export function spansText(spans: readonly HistorySpan[], { up, down }: StateWords): string {
  const names = { up, down, unobserved: 'not observed' }
  const parts = (['up', 'down', 'unobserved'] as const).flatMap((state) => {
    const ms = spans
      .filter((span) => span.state === state)
      .reduce((sum, { from, to }) => sum + Date.parse(to) - Date.parse(from), 0)
    return ms === 0 ? [] : [`${names[state]} ${duration(ms / 1000)}`]
  })
  return sentenceCase(parts.join(', '))
}

function seenText(seen: Omit<HistoryDay, 'day'>, { up, down }: StateWords): string {
  const uptime = uptimeOf(seen)
  const parts: string[] = []
  if (uptime !== null) parts.push(`${percent(uptime)} ${up}`)
  if (seen.downS > 0) parts.push(`${down} ${duration(seen.downS)}`)
  if (seen.unobservedS > 0) parts.push(`not observed ${duration(seen.unobservedS)}`)
  if (seen.flips > 0) parts.push(seen.flips === 1 ? '1 change' : t`${seen.flips} changes`)
  return parts.length === 0 ? t`Nothing known` : sentenceCase(parts.join(', '))
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
