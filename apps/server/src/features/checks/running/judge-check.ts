import type { CheckStatus, CheckTarget } from '@astropelago/contract/checks'
import { checkFailuresUntilDown } from '@astropelago/contract/limits'
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../../cache-bound.ts'
import { expectedByCron } from '../../../cron-times.ts'
import type { CheckRecord, CheckSample, CheckState, FoundCheck } from '../checks-store.ts'
import type { ProbeResult } from '../probe.ts'

/** What a script says, at a secret address. */
export interface CheckReport {
  readonly kind: 'ok' | 'fail' | 'start' | 'log'
  readonly note: string | null
  /** As the script measured it; null for the time since its `start`. */
  readonly tookMs: number | null
}

export type PushTarget = Extract<CheckTarget, { kind: 'push' }>

type Judged = Pick<CheckRecord, 'key' | 'state'>

/** A longer run began with a `start` whose end was never reported. */
const runMaxMs = 72 * 3_600_000
const serverLocationKey = 0

/**
 * What a look makes of a check: one answer is up, two failures in a row are down ([C4]).
 * @param isSeen false if failures tell nothing, because the server can't reach anything ([C5])
 */
export function judgeProbe(
  check: Judged,
  result: ProbeResult,
  { atMs, isSeen }: { readonly atMs: number; readonly isSeen: boolean },
): FoundCheck {
  const sample = { locationKey: serverLocationKey, atMs }
  if (result.isUp) {
    const { tookMs } = result
    const up = { lookedMs: atMs, tookMs, failures: 0, note: null }
    return found(check, 'up', atMs, up, [{ ...sample, tookMs }])
  }
  const status = check.state?.status ?? 'unobserved'
  // It was down before, and nothing says that it came up.
  if (!isSeen && status === 'down') return found(check, 'down', atMs, { lookedMs: atMs })
  if (!isSeen) return judgeUnseen(check, atMs)
  const failures = (check.state?.failures ?? 0) + 1
  const failed = { lookedMs: atMs, tookMs: result.tookMs, failures, note: result.note }
  const isDown = failures >= checkFailuresUntilDown
  return found(check, isDown ? 'down' : status, atMs, failed, [{ ...sample, tookMs: null }])
}

/** What a check is when nobody could look at it, or the server not store what it found. */
export function judgeUnseen(check: Judged, atMs: number, note: string | null = null): FoundCheck {
  const unseen = { lookedMs: atMs, tookMs: null, failures: 0, note }
  return found(check, 'unobserved', atMs, unseen)
}

/** More are forgotten and read again, which takes 0.3 ms each. */
const cronsMax = 1000
const crons = new LRUCache<string, (atMs: number) => number>(atMostEntries(cronsMax))

/** When a report has to be there at the latest after one at a time. */
export function nextDueMs({ cron, periodS, graceS }: PushTarget, atMs: number): number {
  if (cron === undefined) return atMs + (periodS + graceS) * 1000
  const { expression, timeZone } = cron
  const key = `${expression} ${timeZone}`
  const expectedMs = crons.get(key) ?? expectedByCron(expression, timeZone)
  crons.set(key, expectedMs)
  return expectedMs(atMs) + graceS * 1000
}

/** Null if a check can't miss a report: nothing was reported, or a failure. */
export function dueMsOf(state: CheckState | null, target: PushTarget): number | null {
  if (state?.status !== 'up' || state.lookedMs === null) return null
  return nextDueMs(target, state.lookedMs)
}

/** What a report makes of a check: it decides at once ([C6]). */
export function judgeReport(
  check: Judged & { readonly target: PushTarget },
  { kind, note, tookMs }: CheckReport,
  atMs: number,
): FoundCheck {
  const { state, target } = check
  const status = state?.status ?? 'unobserved'
  if (kind === 'log') return found(check, status, atMs, { note })
  if (kind === 'start') {
    return found(check, status, atMs, { startedMs: atMs, ...(note !== null && { note }) })
  }
  const ranMs = state?.startedMs == null ? null : atMs - state.startedMs
  const took = tookMs ?? (ranMs !== null && ranMs <= runMaxMs ? ranMs : null)
  const reported = { lookedMs: atMs, startedMs: null, tookMs: took, note }
  const sample = { locationKey: serverLocationKey, atMs, tookMs: took }
  if (kind === 'fail') {
    const failed = {
      ...reported,
      dueMs: null,
      failures: (state?.failures ?? 0) + 1,
      note: note ?? 'It reported a failure.',
    }
    return found(check, 'down', atMs, failed, [{ ...sample, tookMs: null }])
  }
  const dueMs = nextDueMs(target, atMs)
  const samples = took === null ? [] : [sample]
  return found(check, 'up', atMs, { ...reported, dueMs, failures: 0 }, samples)
}

/** What the end of the time for a report makes of a check, from that end on. */
export function judgeMissed(check: Judged, dueMs: number): FoundCheck {
  const failures = (check.state?.failures ?? 0) + 1
  const missed = { dueMs: null, tookMs: null, failures, note: 'No report came in time.' }
  return found(check, 'down', dueMs, missed)
}

function found(
  { key, state }: Judged,
  status: CheckStatus,
  atMs: number,
  changes: Partial<CheckState>,
  samples: readonly CheckSample[] = [],
): FoundCheck {
  const before = state ?? firstState(atMs)
  const isChange = status !== before.status
  // Two events of a check never have the same time.
  const sinceMs = isChange
    ? Math.max(atMs, (state?.sinceMs ?? Number.NEGATIVE_INFINITY) + 1)
    : before.sinceMs
  const after = { ...before, ...changes, status, sinceMs }
  const event = isChange ? { atMs: sinceMs, kind: status, note: after.note } : null
  const isNew = changes.lookedMs !== undefined
  const known = isNew ? {} : { knownLookedMs: before.lookedMs }
  return { checkKey: key, state: after, ...known, event, samples }
}

function firstState(atMs: number): CheckState {
  return {
    status: 'unobserved',
    sinceMs: atMs,
    lookedMs: null,
    startedMs: null,
    dueMs: null,
    tookMs: null,
    failures: 0,
    note: null,
  }
}
