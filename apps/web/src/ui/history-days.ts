import { t } from '@lingui/core/macro'

/** In UTC. Seconds in the future, or before the history begins, count nowhere. */
export interface HistoryDay {
  /** `YYYY-MM-DD` */
  readonly day: string
  readonly upS: number
  readonly downS: number
  /** While the server could not observe it. Counts as neither up nor down. */
  readonly unobservedS: number
  readonly flips: number
}

/** A period without a change. Times are ISO 8601. */
export interface HistorySpan {
  readonly from: string
  readonly to: string
  readonly state: 'up' | 'down' | 'unobserved'
}

/** What the states of a device or an island are called. */
export interface StateWords {
  readonly up: string
  readonly down: string
  readonly downHeading: string
  readonly upShare: (share: string) => string
  readonly upTime: (time: string) => string
  /** At the start of a line or further on. */
  readonly downTime: (time: string, isFirst: boolean) => string
}

export const deviceWords: StateWords = {
  up: t`online`,
  down: t`offline`,
  downHeading: t`Offline`,
  upShare: (share) => t`${share} online`,
  upTime: (time) => t`Online ${time}`,
  downTime: (time, isFirst) => (isFirst ? t`Offline ${time}` : t`offline ${time}`),
}

export const islandWords: StateWords = {
  up: t`open`,
  down: t`closed`,
  downHeading: t`Closed`,
  upShare: (share) => t`${share} open`,
  upTime: (time) => t`Open ${time}`,
  downTime: (time, isFirst) => (isFirst ? t`Closed ${time}` : t`closed ${time}`),
}

/** Includes days before the history begins, so that all drawings are equally wide. */
export interface DrawnDay {
  readonly day: string
  readonly seen: HistoryDay | undefined
}

const dayMs = 86_400_000

export function drawnDays(days: readonly HistoryDay[], count: number, nowMs: number): DrawnDay[] {
  const seen = new Map(days.map((day) => [day.day, day]))
  // The server's clock decides which day is today, because the browser's may be slow.
  const lastMs = Math.max(nowMs, ...days.map(({ day }) => Date.parse(day)))
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(lastMs - (count - 1 - index) * dayMs).toISOString().slice(0, 10)
    return { day, seen: seen.get(day) }
  })
}

export function sumOfDays(days: readonly HistoryDay[]): Omit<HistoryDay, 'day'> {
  const sum = { upS: 0, downS: 0, unobservedS: 0, flips: 0 }
  for (const { upS, downS, unobservedS, flips } of days) {
    sum.upS += upS
    sum.downS += downS
    sum.unobservedS += unobservedS
    sum.flips += flips
  }
  return sum
}

/** Uptime as a fraction of observed time, 0 to 1; null if nothing was observed. */
export function uptimeOf({ upS, downS }: Pick<HistoryDay, 'upS' | 'downS'>): number | null {
  const observedS = upS + downS
  return observedS === 0 ? null : upS / observedS
}
