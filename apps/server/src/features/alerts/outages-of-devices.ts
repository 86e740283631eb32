import type { AlertRules } from '@astropelago/contract/alerts'

export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** What is kept of a device that went offline: at most one that goes on, and one that is over and not told. */
export interface AlertItem {
  readonly deviceKey: number
  /** When it went offline; of several times the first one. */
  readonly sinceMs: number
  /** When it was back for the last time; null while it is away. */
  readonly endedMs: number | null
  /** How often it went offline in that time. */
  readonly times: number
  /** When it was told last that the device is offline; null before. */
  readonly toldMs: number | null
}

/** What is known of one device. */
export interface DeviceItems {
  readonly away?: AlertItem
  readonly over?: AlertItem
}

export interface DueRules {
  readonly rules: Pick<AlertRules, 'graceS' | 'tellsOnline' | 'repeatHours'>
  /** When no heartbeat could be heard, in order. */
  readonly unobserved: readonly Span[]
  /** How long a heartbeat keeps a device online. */
  readonly windowMs: number
}

/**
 * When a device that is away is to be told of ([N2], [N3]): after the grace, of which the time that nobody
 * could hear it is no part. It has as long after such a time to come back as that took, or a window.
 */
export function dueMs(sinceMs: number, { rules, unobserved, windowMs }: DueRules): number {
  let due = sinceMs + rules.graceS * 1000
  for (const { fromMs, toMs } of unobserved) {
    if (toMs <= sinceMs || fromMs >= due) continue
    const lostMs = toMs - Math.max(fromMs, sinceMs)
    due = Math.max(due + lostMs, toMs + Math.min(lostMs, windowMs))
  }
  return due
}

/** What is known of a device after a flip ([N1], [N4], [N5]). */
export function afterFlip(
  items: DeviceItems,
  flip: {
    readonly deviceKey: number
    readonly status: 'online' | 'offline'
    readonly atMs: number
  },
  due: DueRules,
): DeviceItems {
  const { away, over } = items
  const { deviceKey, status, atMs } = flip
  if (status === 'offline') {
    if (away !== undefined) return items
    // Its owner takes it for offline still, and so it is.
    if (over !== undefined && over.toldMs !== null) return { away: { ...over, endedMs: null } }
    return {
      ...items,
      away: { deviceKey, sinceMs: atMs, endedMs: null, times: 1, toldMs: null },
    }
  }
  if (away === undefined) return items
  const isKept = away.toldMs === null ? atMs >= dueMs(away.sinceMs, due) : due.rules.tellsOnline
  if (!isKept) return over === undefined ? {} : { over }
  if (over === undefined) return { over: { ...away, endedMs: atMs } }
  return { over: { ...over, endedMs: atMs, times: over.times + away.times } }
}

/** Whether there is something to tell of it now, or from when on; null: only after another flip. */
export function tellMs(item: AlertItem, due: DueRules): number | null {
  if (item.endedMs !== null) return item.endedMs
  if (item.toldMs === null) return dueMs(item.sinceMs, due)
  const { repeatHours } = due.rules
  return repeatHours === null ? null : item.toldMs + repeatHours * 3_600_000
}
