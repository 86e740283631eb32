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
  /** When no server could observe anything; in order, without overlaps. */
  readonly unobserved: readonly TimeSpan[]
  /** The time from which the reader may see the history. */
  readonly visibleFromMs: number
  readonly sinceMs: number
  readonly nowMs: number
}

/** An event in a list. `unobserved` ones say until when; null if that lasts. */
export interface ListedEvent extends IslandEvent {
  readonly untilMs: number | null
}

/** The history of an island up to now, by the rules [HI1] to [HI5] in docs/presence.md. */
export interface TimeOfIsland {
  /** The time of the first known state; null if there is none. */
  readonly firstMs: number | null
  readonly days: readonly DayTotals[]
  readonly spans: (forMs: number) => readonly SeenSpan[]
  readonly share: (forMs: number) => SeenShare
  /** Newest first. Events at the same time are ordered by kind. */
  readonly events: readonly ListedEvent[]
}

const seenOf = { open: 'up', closed: 'down', unobserved: 'unseen' } as const satisfies Record<
  EventKind,
  Seen
>

export function timeOfIsland({
  events,
  unobserved,
  visibleFromMs,
  sinceMs,
  nowMs,
}: Known): TimeOfIsland {
  const changes = events.map(({ atMs, kind }): Change => ({ atMs, state: seenOf[kind] }))
  const spans = seenSpans({
    before: 'unseen',
    changes,
    unobserved: [{ fromMs: 0, toMs: visibleFromMs }, ...unobserved],
    fromMs: sinceMs,
    toMs: nowMs,
  })
  const firstMs = spans.find(({ state }) => state !== 'unseen')?.fromMs ?? null
  const told = changes.filter(({ atMs }) => atMs >= visibleFromMs)
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
