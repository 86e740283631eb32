import { historyDays } from '@astropelago/contract/history'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../clock.ts'
import {
  dayMs,
  daysOf,
  dayStart,
  seenSpans,
  shareOf,
  totalsOf,
  type Change,
  type Seen,
  type TimeSpan,
} from '../../../history/time-spans.ts'
import type { HistoryFeature } from '../../history/public.ts'
import { visibleFrom, type Viewer, type VisibilityFacts } from '../access-policy.ts'
import type { EventKind, IslandEvent, IslandHistoryStore } from './island-history-store.ts'

/** Answers lag by this much, plus the second until a change is on record. */
const cachedForMs = 5000
/** For all islands together, about 20 MB. */
const eventsInMemory = 200_000

/** By the rules [HI1] to [HI5] in docs/presence.md. Reads the events of an island at most once in 5 s. */
export function readIslandHistory(
  store: Pick<IslandHistoryStore, 'read'>,
  clock: Clock,
  readUnobserved: HistoryFeature['readUnobserved'],
) {
  const cached = new LRUCache<
    number,
    { readonly atMs: number; readonly events: readonly IslandEvent[] }
  >({
    maxSize: eventsInMemory,
    sizeCalculation: ({ events }) => events.length + 1,
  })

  const readEvents = async (islandKey: number, sinceMs: number, nowMs: number) => {
    const last = cached.get(islandKey)
    if (last !== undefined && nowMs - last.atMs < cachedForMs) return last.events
    const events = await store.read(islandKey, sinceMs)
    cached.set(islandKey, { atMs: nowMs, events })
    return events
  }

  return async (island: VisibilityFacts & { readonly key: number }, viewer: Viewer) => {
    const visibleFromMs = visibleFrom(island, viewer)
    const nowMs = clock()
    // The longest window begins within the day before the first day that is shown.
    const sinceMs = dayStart(nowMs) - historyDays * dayMs
    const [events, unobserved] = await Promise.all([
      visibleFromMs === null ? [] : readEvents(island.key, sinceMs, nowMs),
      readUnobserved(),
    ])
    const shownFromMs = visibleFromMs ?? nowMs
    const changes = events.map(({ atMs, kind }): Change => ({ atMs, state: seenOf[kind] }))
    const spans = seenSpans({
      before: 'unseen',
      changes,
      unobserved: [{ fromMs: 0, toMs: shownFromMs }, ...unobserved],
      fromMs: sinceMs,
      toMs: nowMs,
    })
    const firstMs = spans.find(({ state }) => state !== 'unseen')?.fromMs ?? null
    const shown = changes.filter(({ atMs }) => atMs >= shownFromMs)
    return {
      visibleFromMs,
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
      /** Newest first. Events at the same time are ordered by kind. */
      events: firstMs === null ? [] : listEvents(events, unobserved, firstMs),
    }
  }
}

export type ReadIslandHistory = ReturnType<typeof readIslandHistory>

const seenOf = { open: 'up', closed: 'down', unobserved: 'unseen' } as const satisfies Record<
  EventKind,
  Seen
>

/** `untilMs` is null for all but `unobserved`, and if that lasts. */
export interface ListedEvent extends IslandEvent {
  readonly untilMs: number | null
}

function listEvents(
  events: readonly IslandEvent[],
  unobserved: readonly TimeSpan[],
  firstMs: number,
): readonly ListedEvent[] {
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
