import {
  addTotals,
  dayMs,
  dayStart,
  daysOf,
  seenSpans,
  shareOf,
  totalsOf,
  type Change,
  type DayTotals,
  type Seen,
  type TimeSpan,
} from '../../history/time-spans.ts'
import type { Presence } from '../presence/public.ts'
import type { ClosedDay, Flip, StoredDay, StoredHistory, OpenDay } from './history-store.ts'

interface Known {
  readonly stored: StoredHistory
  readonly present: ReturnType<Presence['present']>
  readonly unobserved: readonly TimeSpan[]
  readonly visibleFromMs: number
  readonly sinceMs: number
  readonly nowMs: number
}

export type TimeOfDevice = ReturnType<typeof timeOfDevice>

/** The history of a device in a span that ends now. The rules [H1] to [H6] are in docs/presence.md. */
export function timeOfDevice(known: Known) {
  const { stored, visibleFromMs, nowMs } = known
  const fromMs = dayStart(known.sinceMs)
  const unrecorded = unrecordedFlip(known)
  const flips = unrecorded === null ? stored.flips : [...stored.flips, unrecorded]
  const before = beforeAll(stored)
  const changes = changesOf(stored.days, flips)
  const spans = seenSpans({
    before,
    changes,
    unobserved: [{ fromMs: 0, toMs: visibleFromMs }, ...known.unobserved],
    fromMs,
    toMs: nowMs,
  })
  const counts = countFlips(flips, visibleFromMs)
  const rows = new Map(stored.days.map((day) => [day.startMs, day]))
  let next = 0
  let lastState: Seen = before
  const days: DayTotals[] = []
  for (const day of daysOf(spans, [])) {
    const { startMs, upMs, downMs, unseenMs } = day
    for (let change = changes[next]; change; change = changes[next]) {
      if (change.atMs >= startMs + dayMs) break
      lastState = change.state
      next += 1
    }
    const count = counts.get(startMs)
    const row = count === undefined ? rows.get(startMs) : undefined
    if (row === undefined) {
      // By its last flip, even if an outage covers it from the first moment on.
      const last = lastState === 'unseen' || upMs + downMs === 0 ? null : lastState
      days.push({ startMs, upMs, downMs, unseenMs, flips: count ?? 0, last })
    } else days.push(startMs < visibleFromMs ? hiddenDay(startMs) : totalsOfStored(row))
  }

  return {
    days: (count: number): readonly DayTotals[] => {
      const last = days.slice(-count)
      const first = last.findIndex((day) => day.upMs + day.downMs > 0)
      return first === -1 ? [] : last.slice(first)
    },
    spans: (forMs: number) =>
      spans
        .filter(({ toMs }) => toMs > nowMs - forMs)
        .map(({ fromMs: beganMs, toMs, state }) => ({
          fromMs: Math.max(beganMs, nowMs - forMs),
          toMs,
          state,
        })),
    share: (forMs: number) => {
      const window = { fromMs: nowMs - forMs, toMs: dayStart(nowMs - forMs) + dayMs }
      const whole = days.filter(({ startMs }) => startMs >= window.toMs)
      const begun = totalsOf(spans, { ...window, toMs: Math.min(window.toMs, nowMs) })
      return shareOf(whole.reduce(addTotals, begun), forMs)
    },
    firstMs: spans.find(({ state }) => state !== 'unseen')?.fromMs ?? null,
    unrecorded,
  }
}

export function closeDay(
  { deviceKey, startMs, before, flips }: OpenDay,
  unobserved: readonly TimeSpan[],
): ClosedDay {
  const last = flips.at(-1) ?? flips[0]
  const spans = seenSpans({
    before: before === null ? beforeAll({ days: [], flips }) : stateOf(before),
    changes: changesOf([], flips),
    unobserved,
    fromMs: startMs,
    toMs: startMs + dayMs,
  })
  const { upMs, downMs } = totalsOf(spans, { fromMs: startMs, toMs: startMs + dayMs })
  const onlineS = Math.round(upMs / 1000)
  const seenS = Math.round((upMs + downMs) / 1000)
  return {
    deviceKey,
    startMs,
    onlineS,
    offlineS: seenS - onlineS,
    unobservedS: dayMs / 1000 - seenS,
    flips: flips.length,
    status: last.status,
    sinceMs: last.atMs,
  }
}

function countFlips(flips: readonly Flip[], visibleFromMs: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { atMs } of flips) {
    const startMs = dayStart(atMs)
    counts.set(startMs, (counts.get(startMs) ?? 0) + (atMs >= visibleFromMs ? 1 : 0))
  }
  return counts
}

function hiddenDay(startMs: number): DayTotals {
  return { startMs, upMs: 0, downMs: 0, unseenMs: dayMs, flips: 0, last: null }
}

function totalsOfStored(day: StoredDay): DayTotals {
  return {
    startMs: day.startMs,
    upMs: day.onlineS * 1000,
    downMs: day.offlineS * 1000,
    unseenMs: day.unobservedS * 1000,
    flips: day.flips,
    last: day.onlineS + day.offlineS === 0 ? null : stateOf(day.status),
  }
}

/** Before the first known flip the device had the opposite status, or was not there if that is to online. */
function beforeAll({ days, flips }: StoredHistory): 'up' | 'unseen' {
  const [day] = days
  const [flip] = flips
  const isFirst = flip !== undefined && (day === undefined || flip.atMs < day.startMs + dayMs)
  return isFirst && flip.status === 'offline' ? 'up' : 'unseen'
}

/** A stored day without known flips contributes only its final status, at its end. */
function changesOf(days: readonly StoredDay[], flips: readonly Flip[]): readonly Change[] {
  const ends = days.map(({ startMs, status }) => ({
    atMs: startMs + dayMs,
    state: stateOf(status),
  }))
  const changes = flips.map(({ atMs, status }) => ({ atMs, state: stateOf(status) }))
  // Sorting keeps the order of equal times: a flip at midnight comes after the day's end.
  return [...ends, ...changes].toSorted((one, other) => one.atMs - other.atMs)
}

function unrecordedFlip({ stored, present, nowMs }: Known): Flip | null {
  if (present === null) return null
  const last = lastOnRecord(stored)
  if (last?.status === present.status) return null
  const atMs = Math.min(nowMs, Math.max(last?.atMs ?? 0, present.unrecordedMs))
  return { status: present.status, atMs }
}

/** Stored days can follow a flip that was read in detail. */
function lastOnRecord({ days, flips }: StoredHistory): Flip | undefined {
  const flip = flips.at(-1)
  const day = days.at(-1)
  if (day === undefined || (flip !== undefined && flip.atMs >= day.startMs + dayMs)) return flip
  return { status: day.status, atMs: day.sinceMs ?? day.startMs + dayMs }
}

function stateOf(status: 'online' | 'offline'): 'up' | 'down' {
  return status === 'online' ? 'up' : 'down'
}
