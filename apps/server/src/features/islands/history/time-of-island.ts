import {
  dayMs,
  daysOf,
  seenSpans,
  shareOf,
  totalsOf,
  type Change,
  type DayTotals,
  type Seen,
  type SeenShare,
  type SeenSpan,
  type TimeSpan,
} from '../../../history/time-spans.ts'
import type { EventKind, IslandEvent } from './island-history-store.ts'

interface Known {
  /** Oldest first. */
  readonly events: readonly IslandEvent[]
  /** When no server could see anything; in order, and apart. */
  readonly unobserved: readonly TimeSpan[]
  /** From when on it is for the reader to know. */
  readonly toldFromMs: number
  readonly sinceMs: number
  readonly nowMs: number
}

/** An event as it is listed; of `unobserved` until when that was, null while it lasts. */
export interface ListedEvent extends IslandEvent {
  readonly untilMs: number | null
}

/** What became of an island in a time that ends now: the rules [HI1] to [HI5] are in docs/presence.md. */
export interface TimeOfIsland {
  /** When there is first something to tell; null where there never was. */
  readonly firstMs: number | null
  readonly days: readonly DayTotals[]
  readonly spans: (forMs: number) => readonly SeenSpan[]
  readonly share: (forMs: number) => SeenShare
  /** The newest first; at one time by the names of their kinds. */
  readonly events: readonly ListedEvent[]
}

const seenOf = { open: 'up', closed: 'down', unobserved: 'unseen' } as const satisfies Record<
  EventKind,
  Seen
>

export function timeOfIsland({
  events,
  unobserved,
  toldFromMs,
  sinceMs,
  nowMs,
}: Known): TimeOfIsland {
  const changes = events.map(({ atMs, kind }): Change => ({ atMs, state: seenOf[kind] }))
  const spans = seenSpans({
    before: 'unseen',
    changes,
    unobserved: [{ fromMs: 0, toMs: toldFromMs }, ...unobserved],
    fromMs: sinceMs,
    toMs: nowMs,
  })
  const firstMs = spans.find(({ state }) => state !== 'unseen')?.fromMs ?? null
  const told = changes.filter(({ atMs }) => atMs >= toldFromMs)
  const days = firstMs === null ? [] : daysOf(spans, told)
  return {
    firstMs,
    days: days.filter(({ startMs }) => firstMs !== null && startMs + dayMs > firstMs),
    spans: (forMs) =>
      spans
        .filter(({ toMs }) => toMs > nowMs - forMs)
        .map(({ fromMs, toMs, state }) => ({
          fromMs: Math.max(fromMs, nowMs - forMs),
          toMs,
          state,
        })),
    share: (forMs) => shareOf(totalsOf(spans, { fromMs: nowMs - forMs, toMs: nowMs }), forMs),
    events: firstMs === null ? [] : listEvents({ events, unobserved, firstMs }),
  }
}

function listEvents({
  events,
  unobserved,
  firstMs,
}: Pick<Known, 'events' | 'unobserved'> & { readonly firstMs: number }): readonly ListedEvent[] {
  const changes = events.map(({ atMs, kind }, at): ListedEvent => {
    const untilMs = kind === 'unobserved' ? (events[at + 1]?.atMs ?? null) : null
    return { atMs, kind, untilMs }
  })
  const outages = unobserved
    .filter(({ toMs }) => toMs > firstMs)
    .map(({ fromMs, toMs }): ListedEvent => ({ atMs: fromMs, kind: 'unobserved', untilMs: toMs }))
  return [...changes, ...outages]
    .filter(({ atMs }) => atMs >= firstMs)
    .toSorted((one, other) => other.atMs - one.atMs || (one.kind < other.kind ? 1 : -1))
}
