import { historyDays } from '@astropelago/contract/history'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import {
  dayMs,
  daysOf,
  dayStart,
  seenSpans,
  shareOf,
  totalsOf,
  type Change,
  type TimeSpan,
} from './time-spans.ts'

/** Answers lag by this much, plus the second until a change is on record. */
const cachedForMs = 5000
/** For all subjects together, about 20 MB. */
const eventsInMemory = 200_000

/** The longest window begins within the day before the first day that is shown. */
export function historyStart(nowMs: number): number {
  return dayStart(nowMs) - historyDays * dayMs
}

/**
 * Reads the events of a subject at most once in 5 s.
 * @param read the events since a time and the one before them
 * @param startOf that time
 */
export function cachedEvents<Event extends object>(
  read: (key: number, sinceMs: number) => Promise<readonly Event[]>,
  clock: Clock,
  startOf: (nowMs: number) => number = historyStart,
) {
  const cached = new LRUCache<number, { readonly atMs: number; readonly events: readonly Event[] }>(
    {
      maxSize: eventsInMemory,
      sizeCalculation: ({ events }) => events.length + 1,
    },
  )
  return async (key: number): Promise<readonly Event[]> => {
    const nowMs = clock()
    const last = cached.get(key)
    if (last !== undefined && nowMs - last.atMs < cachedForMs) return last.events
    const events = await read(key, startOf(nowMs))
    cached.set(key, { atMs: nowMs, events })
    return events
  }
}

/** The history of a subject up to now, by changes that were read with `cachedEvents`. */
export function seenTime({
  changes,
  unobserved,
  shownFromMs,
  nowMs,
}: {
  readonly changes: readonly Change[]
  readonly unobserved: readonly TimeSpan[]
  /** What was before is shown as unseen. */
  readonly shownFromMs: number
  readonly nowMs: number
}) {
  const spans = seenSpans({
    before: 'unseen',
    changes,
    unobserved: [{ fromMs: 0, toMs: shownFromMs }, ...unobserved],
    fromMs: historyStart(nowMs),
    toMs: nowMs,
  })
  const firstMs = spans.find(({ state }) => state !== 'unseen')?.fromMs ?? null
  const shown = changes.filter(({ atMs }) => atMs >= shownFromMs)
  return {
    firstMs,
    days:
      firstMs === null
        ? []
        : daysOf(spans, shown).filter(({ startMs }) => startMs + dayMs > firstMs),
    spans: (forMs: number) =>
      spans
        .filter(({ toMs }) => toMs > nowMs - forMs)
        .map(({ fromMs, toMs, state }) => ({
          fromMs: Math.max(fromMs, nowMs - forMs),
          toMs,
          state,
        })),
    share: (forMs: number) =>
      shareOf(totalsOf(spans, { fromMs: nowMs - forMs, toMs: nowMs }), forMs),
  }
}
