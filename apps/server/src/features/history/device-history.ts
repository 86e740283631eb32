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
  type SeenShare,
  type SeenSpan,
  type TimeSpan,
} from '../../history/time-spans.ts'
import type { Flip, KeptDay, KeptHistory, OpenDay } from './history-store.ts'

/** What presence knows of a device by now; null where it has never reported. */
export type Present = {
  readonly status: 'online' | 'offline'
  /** Since when, if that flip is not on record yet. */
  readonly unrecordedMs: number
} | null

interface Known {
  readonly kept: KeptHistory
  readonly present: Present
  readonly unobserved: readonly TimeSpan[]
  /** From when on it is for the reader to know. */
  readonly toldFromMs: number
  readonly sinceMs: number
  readonly nowMs: number
}

/** What became of a device in a time that ends now: the rules [H1] to [H6] are in docs/presence.md. */
export interface TimeOfDevice {
  /** The last ones, from the first of which there is something to tell. */
  readonly days: (count: number) => readonly DayTotals[]
  readonly spans: (forMs: number) => readonly SeenSpan[]
  readonly share: (forMs: number) => SeenShare
  /** When there is first something to tell; null where there never was. */
  readonly firstMs: number | null
  /** The last flip, while it is not on record. */
  readonly unrecorded: Flip | null
}

export function timeOfDevice(known: Known): TimeOfDevice {
  const { kept, toldFromMs, nowMs } = known
  const fromMs = dayStart(known.sinceMs)
  const unrecorded = unrecordedFlip(known)
  const flips = unrecorded === null ? kept.flips : [...kept.flips, unrecorded]
  const spans = seenSpans({
    before: beforeAll(kept),
    changes: changesOf(kept.days, flips),
    unobserved: [{ fromMs: 0, toMs: toldFromMs }, ...known.unobserved],
    fromMs,
    toMs: nowMs,
  })
  const days = daysOf(spans, []).map((day) => ({ ...day }))
  const dayOf = (atMs: number) => days[Math.floor((atMs - fromMs) / dayMs)]
  const detailed = new Set<number>()
  for (const { atMs } of flips) {
    const day = dayOf(atMs)
    if (day === undefined) continue
    detailed.add(day.startMs)
    if (atMs >= toldFromMs) day.flips += 1
  }
  for (const day of kept.days) {
    const told = dayOf(day.startMs)
    if (told === undefined || detailed.has(day.startMs)) continue
    Object.assign(told, day.startMs < toldFromMs ? untold : totalsOfKept(day))
  }

  const seenOf = ({ upMs, downMs }: DayTotals) => upMs + downMs
  return {
    days: (count) => {
      const last = days.slice(-count)
      const first = last.findIndex((day) => seenOf(day) > 0)
      return first === -1 ? [] : last.slice(first)
    },
    spans: (forMs) =>
      spans
        .filter(({ toMs }) => toMs > nowMs - forMs)
        .map((span) => ({ ...span, fromMs: Math.max(span.fromMs, nowMs - forMs) })),
    share: (forMs) => {
      const window = { fromMs: nowMs - forMs, toMs: dayStart(nowMs - forMs) + dayMs }
      const whole = days.filter(({ startMs }) => startMs >= window.toMs)
      const begun = totalsOf(spans, { ...window, toMs: Math.min(window.toMs, nowMs) })
      return shareOf(whole.reduce(addTotals, begun), forMs)
    },
    firstMs: spans.find(({ state }) => state !== 'unseen')?.fromMs ?? null,
    unrecorded,
  }
}

/** A day that is over, from all flips of it. */
export function closeDay(
  { startMs, before, flips }: OpenDay,
  unobserved: readonly TimeSpan[],
): KeptDay {
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
    startMs,
    onlineS,
    offlineS: seenS - onlineS,
    unobservedS: dayMs / 1000 - seenS,
    flips: flips.length,
    status: last.status,
    sinceMs: last.atMs,
  }
}

const untold = {
  upMs: 0,
  downMs: 0,
  unseenMs: dayMs,
  flips: 0,
  last: null,
} satisfies Partial<DayTotals>

function totalsOfKept({ onlineS, offlineS, unobservedS, flips, status }: KeptDay) {
  const upMs = onlineS * 1000
  const downMs = offlineS * 1000
  const last = stateOf(status)
  return { upMs, downMs, unseenMs: unobservedS * 1000, flips, last } satisfies Partial<DayTotals>
}

/** What nobody has on record is what it was before the first flip; who comes first online was not there before. */
function beforeAll({ days, flips }: KeptHistory): 'up' | 'unseen' {
  const [day] = days
  const [flip] = flips
  const isFirst = flip !== undefined && (day === undefined || flip.atMs < day.startMs + dayMs)
  return isFirst && flip.status === 'offline' ? 'up' : 'unseen'
}

/** A day of which the flips are not known ends with what it ended with. */
function changesOf(days: readonly KeptDay[], flips: readonly Flip[]): readonly Change[] {
  const ends = days.map(({ startMs, status }) => ({
    atMs: startMs + dayMs,
    state: stateOf(status),
  }))
  const changes = flips.map(({ atMs, status }) => ({ atMs, state: stateOf(status) }))
  // Sorting keeps the order of those at one time: a flip at midnight comes after the day's end.
  return [...ends, ...changes].toSorted((one, other) => one.atMs - other.atMs)
}

function unrecordedFlip({ kept, present, nowMs }: Known): Flip | null {
  if (present === null) return null
  const last = kept.flips.at(-1) ?? kept.days.at(-1)
  if (last?.status === present.status) return null
  const lastMs = kept.flips.at(-1)?.atMs ?? (kept.days.at(-1)?.startMs ?? -dayMs) + dayMs
  const atMs = Math.min(nowMs, Math.max(lastMs, present.unrecordedMs))
  return { status: present.status, atMs }
}

function stateOf(status: 'online' | 'offline'): 'up' | 'down' {
  return status === 'online' ? 'up' : 'down'
}
