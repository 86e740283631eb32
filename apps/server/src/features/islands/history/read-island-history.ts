import type { Clock } from '../../../clock.ts'
import { cachedEvents, seenTime } from '../../../history/seen-time.ts'
import type { Change, Seen, TimeSpan } from '../../../history/time-spans.ts'
import type { HistoryFeature } from '../../history/public.ts'
import { visibleFrom, type Viewer, type VisibilityFacts } from '../access-policy.ts'
import type { EventKind, IslandEvent, IslandHistoryStore } from './island-history-store.ts'

/** By the rules [HI1] to [HI5] in docs/presence.md. Reads the events of an island at most once in 5 s. */
export function readIslandHistory(
  store: Pick<IslandHistoryStore, 'read'>,
  clock: Clock,
  readUnobserved: HistoryFeature['readUnobserved'],
) {
  const readEvents = cachedEvents(store.read, clock)

  return async (island: VisibilityFacts & { readonly key: number }, viewer: Viewer) => {
    const visibleFromMs = visibleFrom(island, viewer)
    const [events, unobserved] = await Promise.all([
      visibleFromMs === null ? [] : readEvents(island.key),
      readUnobserved(),
    ])
    const nowMs = clock()
    const changes = events.map(({ atMs, kind }): Change => ({ atMs, state: seenOf[kind] }))
    const shownFromMs = visibleFromMs ?? nowMs
    const time = seenTime({ changes, unobserved, shownFromMs, nowMs })
    return {
      ...time,
      visibleFromMs,
      /** Newest first. Events at the same time are ordered by kind. */
      events: time.firstMs === null ? [] : listEvents(events, unobserved, time.firstMs),
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
