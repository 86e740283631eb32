import { historyDays } from '@astropelago/contract/history'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../clock.ts'
import { dayMs, dayStart, type TimeSpan } from '../../../history/time-spans.ts'
import type { IslandEvent, IslandHistoryStore } from './island-history-store.ts'
import { timeOfIsland, type TimeOfIsland } from './time-of-island.ts'

/** Answers lag by this much, plus the second until a change is on record. */
const cachedForMs = 5000
/** For all islands together, about 20 MB. */
const eventsInMemory = 200_000

interface ReadIslandHistoryDeps {
  readonly store: Pick<IslandHistoryStore, 'read'>
  readonly clock: Clock
  /** When no server could observe anything, in the last 90 days. */
  readonly readUnobserved: () => Promise<readonly TimeSpan[]>
}

interface ToldIsland {
  readonly islandKey: number
  /** Null if the reader may see nothing. */
  readonly visibleFromMs: number | null
}

interface KeptRead {
  readonly atMs: number
  readonly events: readonly IslandEvent[]
}

/**
 * Reads the history of islands. However often it is asked, it reads an island's events at most once in 5 s.
 */
export function readIslandHistory({ store, clock, readUnobserved }: ReadIslandHistoryDeps) {
  const read = new LRUCache<number, KeptRead>({
    maxSize: eventsInMemory,
    sizeCalculation: ({ events }) => events.length + 1,
  })

  const readEvents = async (islandKey: number, sinceMs: number, nowMs: number) => {
    const known = read.get(islandKey)
    if (known !== undefined && nowMs - known.atMs < cachedForMs) return known.events
    const events = await store.read(islandKey, sinceMs)
    read.set(islandKey, { atMs: nowMs, events })
    return events
  }

  return async ({ islandKey, visibleFromMs }: ToldIsland): Promise<TimeOfIsland> => {
    const nowMs = clock()
    const sinceMs = dayStart(nowMs) - (historyDays - 1) * dayMs
    // The longest window begins within the day before the first day that is shown.
    const fromMs = sinceMs - dayMs
    const [events, unobserved] = await Promise.all([
      visibleFromMs === null ? [] : readEvents(islandKey, fromMs, nowMs),
      readUnobserved(),
    ])
    return timeOfIsland({
      events,
      unobserved,
      visibleFromMs: visibleFromMs ?? nowMs,
      sinceMs: fromMs,
      nowMs,
    })
  }
}

export type ReadIslandHistory = ReturnType<typeof readIslandHistory>
