import type { AlertRules } from '@astropelago/contract/alert-rules'

export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * What an alert can be about: an offline device, a warning of a device, a closed island, a check that is
 * down, or new reports.
 */
export interface AlertSubject {
  readonly userKey: number
  readonly of: 'device' | 'warning' | 'island' | 'check' | 'reports'
  /** Key of the device, island or check; 0 for reports. */
  readonly key: number
}

/**
 * One outage of a thing. A device is away while it is offline or warns, an island while it is closed, a
 * check while it is down.
 */
export interface AlertItem extends AlertSubject {
  /** When it went away; of several times the first. */
  readonly sinceMs: number
  /** When it last came back; null while it is away. */
  readonly endedMs: number | null
  /** How often it went away in that time. */
  readonly times: number
  /** When a message last said that it is away; null before the first one. */
  readonly toldMs: number | null
}

/**
 * Stored state of one thing: at most one outage that continues, and one that is over but not yet in a
 * message.
 */
export interface SubjectItems {
  readonly away?: AlertItem
  readonly over?: AlertItem
}

export interface DueRules {
  readonly rules: Pick<AlertRules, 'graceS' | 'tellsOnline' | 'repeatHours'>
  /** Spans in which no heartbeat could be received, in order. */
  readonly unobserved: readonly Span[]
  /** Spans of maintenance, without new alerts. */
  readonly maintenance: readonly Span[]
  /** How long a heartbeat keeps a device online. */
  readonly windowMs: number
}

/** Map key for a thing. */
export function nameOf({ userKey, of, key }: AlertSubject): string {
  return `${userKey} ${of} ${key}`
}

/**
 * When an outage becomes due for a message: at the end of its grace period. A maintenance that overlaps the
 * grace period restarts it at the maintenance's end ([N16]).
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
 * Unobserved time does not count towards the grace period ([N2], [N3]). After such a span the thing has as
 * long to come back as the span took, at most one window.
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

/**
 * Pending alerts of a thing after it went away, came back or can no longer be seen ([N1], [N4], [N5],
 * [N23], [N29]).
 */
export function afterChange(
  items: SubjectItems,
  {
    thing,
    isAway,
    atMs,
  }: { readonly thing: AlertSubject; readonly isAway: boolean | null; readonly atMs: number },
  due: DueRules,
): SubjectItems {
  const { away, over } = items
  if (isAway === null) {
    // A check will be looked at again, so that the end of an outage that was sent can be sent too.
    if (thing.of === 'check' && away !== undefined && away.toldMs !== null) return items
    return over === undefined ? {} : { over }
  }
  if (isAway) {
    if (away !== undefined) return items
    // The user was told that it is away and not yet that it came back, so the outage continues.
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

/** When there is something to say about an outage; null: not before another change. */
export function alertMs(item: AlertItem, due: DueRules): number | null {
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
