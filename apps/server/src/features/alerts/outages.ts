import type { AlertRules } from '@astropelago/contract/alert-rules'

export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** What a user is told of: that a device is offline, that it warns, that an island is closed, or of new reports. */
export interface Thing {
  readonly userKey: number
  readonly of: 'device' | 'warning' | 'island' | 'reports'
  /** The device's, or the island's; of reports 0. */
  readonly key: number
}

/** One outage of a thing: it is away while a device is offline or warns, or an island is closed. */
export interface AlertItem extends Thing {
  /** When it went away; of several times the first one. */
  readonly sinceMs: number
  /** When it was back for the last time; null while it is away. */
  readonly endedMs: number | null
  /** How often it went away in that time. */
  readonly times: number
  /** When it was told last that it is away; null before. */
  readonly toldMs: number | null
}

/** What is kept of one thing: at most one outage that goes on, and one that is over and not told. */
export interface ThingItems {
  readonly away?: AlertItem
  readonly over?: AlertItem
}

export interface DueRules {
  readonly rules: Pick<AlertRules, 'graceS' | 'tellsOnline' | 'repeatHours'>
  /** When no heartbeat could be heard, in order. */
  readonly unobserved: readonly Span[]
  /** When nothing new is told of it. */
  readonly maintenance: readonly Span[]
  /** How long a heartbeat keeps a device online. */
  readonly windowMs: number
}

/** Map key for a subject. */
export function nameOf({ userKey, of, key }: Thing): string {
  return `${userKey} ${of} ${key}`
}

/**
 * When a thing that is away is to be told of: at the end of its grace, which begins anew at the end of a
 * maintenance that it reaches into ([N16]).
 */
export function dueMs(sinceMs: number, due: DueRules): number {
  let startMs = sinceMs
  for (;;) {
    const endMs = graceEndMs(startMs, due)
    const reached = due.maintenance.find(({ fromMs, toMs }) => fromMs <= endMs && toMs > startMs)
    if (reached === undefined) return endMs
    startMs = reached.toMs
  }
}

/**
 * Of a grace ([N2], [N3]) the time that nobody could hear a thing is no part. It has as long after such a time to
 * come back as that took, or a window.
 */
function graceEndMs(sinceMs: number, { rules, unobserved, windowMs }: DueRules): number {
  let due = sinceMs + rules.graceS * 1000
  for (const { fromMs, toMs } of unobserved) {
    if (toMs <= sinceMs || fromMs >= due) continue
    const lostMs = toMs - Math.max(fromMs, sinceMs)
    due = Math.max(due + lostMs, toMs + Math.min(lostMs, windowMs))
  }
  return due
}

/** What is to be told of a thing that went away, is back, or can't be seen any more ([N1], [N4], [N5], [N23]). */
export function afterChange(
  items: ThingItems,
  {
    thing,
    isAway,
    atMs,
  }: { readonly thing: Thing; readonly isAway: boolean | null; readonly atMs: number },
  due: DueRules,
): ThingItems {
  const { away, over } = items
  // What became of it will be told by nobody.
  if (isAway === null) return over === undefined ? {} : { over }
  if (isAway) {
    if (away !== undefined) return items
    // Its user takes it for away still, and so it is.
    if (over !== undefined && over.toldMs !== null) return { away: { ...over, endedMs: null } }
    const { userKey, of, key } = thing
    return {
      ...items,
      away: { userKey, of, key, sinceMs: atMs, endedMs: null, times: 1, toldMs: null },
    }
  }
  if (away === undefined) return items
  const isKept = away.toldMs === null ? atMs >= dueMs(away.sinceMs, due) : due.rules.tellsOnline
  if (!isKept) return over === undefined ? {} : { over }
  if (over === undefined) return { over: { ...away, endedMs: atMs } }
  return { over: { ...over, endedMs: atMs, times: over.times + away.times } }
}

/** Whether there is something to tell of it now, or from when on; null: only after another change. */
export function tellMs(item: AlertItem, due: DueRules): number | null {
  if (item.endedMs !== null) return item.endedMs
  if (item.toldMs === null) return dueMs(item.sinceMs, due)
  const { repeatHours } = due.rules
  if (repeatHours === null) return null
  let againMs = item.toldMs + repeatHours * 3_600_000
  for (;;) {
    const atMs = againMs
    const during = due.maintenance.find(({ fromMs, toMs }) => fromMs <= atMs && toMs > atMs)
    if (during === undefined) return againMs
    againMs = during.toMs
  }
}
