import { percent } from '@astropelago/contract/percent'
import type { StatusPage } from '@astropelago/contract/status-pages'
import { dayText, timeText } from '@astropelago/contract/time-text'

export interface Overall {
  readonly state: 'good' | 'partly' | 'bad' | 'unknown'
  readonly text: string
}

export function overallOf({
  devices,
  islands,
}: {
  readonly devices: readonly Pick<StatusPage['devices'][number], 'status'>[]
  readonly islands: readonly Pick<StatusPage['islands'][number], 'isOpen' | 'pause'>[]
}): Overall {
  const offline = devices.filter(({ status }) => status === 'offline').length
  const unreported = devices.filter(({ status }) => status === 'unknown').length
  const paused = islands.filter(({ pause }) => pause !== null).length
  const closed = islands.filter(({ isOpen }) => !isOpen).length - paused
  const parts = [
    devicesText(devices.length, { offline, unreported }),
    islandsText(islands.length, { closed, paused }),
  ].filter((part) => part !== undefined)
  if (parts.length === 0) return { state: 'unknown', text: 'Nothing is shown here yet' }
  const text = parts.join(' and ')
  return {
    // A planned pause is not a fault.
    state: stateOf(devices.length + islands.length, {
      down: offline + closed,
      unreported: unreported + paused,
    }),
    text: text.charAt(0).toUpperCase() + text.slice(1),
  }
}

function stateOf(
  count: number,
  { down, unreported }: { readonly down: number; readonly unreported: number },
): Overall['state'] {
  if (down === count) return 'bad'
  if (down > 0) return 'partly'
  return unreported > 0 ? 'unknown' : 'good'
}

function devicesText(
  count: number,
  { offline, unreported }: { readonly offline: number; readonly unreported: number },
): string | undefined {
  if (count === 0) return undefined
  const all = count === 1 ? 'the device is' : 'all devices are'
  if (offline === count) return `${all} offline`
  if (offline > 0) return `${offline} of ${count} devices ${offline === 1 ? 'is' : 'are'} offline`
  if (unreported === 0) return `${all} online`
  if (unreported === count) {
    return count === 1 ? 'the device has not reported yet' : 'no device has reported yet'
  }
  return `${unreported} of ${count} devices ${unreported === 1 ? 'has' : 'have'} not reported yet`
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

const faultsNamed = 5
/** The reader's time zone is not known when the page is drawn. */
const timeZone = 'UTC'

/** Describes a strip of days to people who do not see it: how many had no fault, and the latest faults. */
export function daysText(
  days: readonly { readonly day: string; readonly share: number | null }[],
  up: 'online' | 'open',
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
