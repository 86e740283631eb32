import { percent } from '@astropelago/contract/percent'
import type { StatusPage } from '@astropelago/contract/status-pages'
import { dayText, timeText } from '@astropelago/contract/time-text'

export interface Overall {
  readonly state: 'good' | 'partly' | 'bad' | 'unknown'
  readonly text: string
}

interface Counts {
  readonly down: number
  /** Neither up nor down. */
  readonly unknown: number
}

/** As in “a, b and c”. */
const listFormat = new Intl.ListFormat('en-GB')

export function overallOf({
  devices,
  islands,
  checks,
}: {
  readonly devices: readonly Pick<StatusPage['devices'][number], 'status'>[]
  readonly islands: readonly Pick<StatusPage['islands'][number], 'isOpen' | 'pause'>[]
  readonly checks: readonly Pick<StatusPage['checks'][number], 'status'>[]
}): Overall {
  const offline = devices.filter(({ status }) => status === 'offline').length
  const unreported = devices.filter(({ status }) => status === 'unknown').length
  const failed = checks.filter(({ status }) => status === 'down').length
  const unobserved = checks.filter(({ status }) => status === 'unobserved').length
  const paused = islands.filter(({ pause }) => pause !== null).length
  const closed = islands.filter(({ isOpen }) => !isOpen).length - paused
  const parts = [
    statusText(devices.length, { down: offline, unknown: unreported }, deviceWords),
    islandsText(islands.length, { closed, paused }),
    statusText(checks.length, { down: failed, unknown: unobserved }, checkWords),
  ].filter((part) => part !== undefined)
  if (parts.length === 0) return { state: 'unknown', text: 'Nothing is shown here yet' }
  const text = listFormat.format(parts)
  return {
    // A planned pause is not a fault.
    state: stateOf(devices.length + islands.length + checks.length, {
      down: offline + closed + failed,
      unknown: unreported + paused + unobserved,
    }),
    text: text.charAt(0).toUpperCase() + text.slice(1),
  }
}

function stateOf(count: number, { down, unknown }: Counts): Overall['state'] {
  if (down === count) return 'bad'
  if (down > 0) return 'partly'
  return unknown > 0 ? 'unknown' : 'good'
}

interface StatusWords {
  readonly noun: 'device' | 'check'
  readonly up: string
  readonly down: string
  /** Of one, of several and of none, as in “no device has reported yet”. */
  readonly unknown: readonly [one: string, several: string, none: string]
}

const deviceWords: StatusWords = {
  noun: 'device',
  up: 'online',
  down: 'offline',
  unknown: ['has not reported yet', 'have not reported yet', 'has reported yet'],
}
const checkWords: StatusWords = {
  noun: 'check',
  up: 'up',
  down: 'down',
  unknown: ['is not observed', 'are not observed', 'is observed'],
}

function statusText(
  count: number,
  { down, unknown }: Counts,
  { noun, unknown: [oneIs, severalAre, noneIs], ...words }: StatusWords,
): string | undefined {
  if (count === 0) return undefined
  const all = count === 1 ? `the ${noun} is` : `all ${noun}s are`
  if (down === count) return `${all} ${words.down}`
  if (down > 0) return `${down} of ${count} ${noun}s ${down === 1 ? 'is' : 'are'} ${words.down}`
  if (unknown === 0) return `${all} ${words.up}`
  if (unknown === count) return count === 1 ? `the ${noun} ${oneIs}` : `no ${noun} ${noneIs}`
  return `${unknown} of ${count} ${noun}s ${unknown === 1 ? oneIs : severalAre}`
}

function islandsText(
  count: number,
  { closed, paused }: { readonly closed: number; readonly paused: number },
): string | undefined {
  if (count === 0) return undefined
  const all = count === 1 ? 'the island is' : 'all islands are'
  if (closed + paused === 0) return `${all} open`
  if (closed === count) return `${all} closed`
  if (paused === count) return `${all} paused`
  if (closed === 0) return `${paused} of ${count} islands ${paused === 1 ? 'is' : 'are'} paused`
  const others = paused === 0 ? '' : `, ${paused} paused`
  return `${closed} of ${count} islands ${closed === 1 ? 'is' : 'are'} closed${others}`
}

export type UpWord = 'online' | 'open' | 'up'

const faultsNamed = 5
/** The reader's time zone is not known when the page is drawn. */
const timeZone = 'UTC'

/** Describes a strip of days to people who do not see it: how many had no fault, and the latest faults. */
export function daysText(
  days: readonly { readonly day: string; readonly share: number | null }[],
  up: UpWord,
): string {
  const seen = days.flatMap(({ day, share }) => (share === null ? [] : [{ day, share }]))
  const start = `Last ${days.length} days: `
  if (seen.length === 0) return `${start}no data`
  const faults = seen.filter(({ share }) => share < 1).toReversed()
  const whole = seen.length - faults.length
  const parts = [
    ...(whole > 0 ? [`${up} all of ${whole === 1 ? '1 day' : `${whole} days`}`] : []),
    ...faults
      .slice(0, faultsNamed)
      .map(({ day, share }) => `${percent(share)} on ${shortDay(day)}`),
    ...(faults.length > faultsNamed ? [`below 100% on ${faults.length - faultsNamed} more`] : []),
    ...(seen.length < days.length ? [`no data for ${days.length - seen.length}`] : []),
  ]
  return start + parts.join(', ')
}

/** @param day `YYYY-MM-DD`, within the last 90 days */
export function shortDay(day: string): string {
  return dayText(Date.parse(day), { timeZone, nowMs: Date.parse(day) })
}

/** Includes the year if it is not that of `today`, which is `YYYY-MM-DD`. */
export function utcTime(at: string, today: string): string {
  return `${timeText(Date.parse(at), { timeZone, nowMs: Date.parse(today) })} UTC`
}
