import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../cache-bound.ts'
import type { Clock } from '../../clock.ts'

const maxWaitMs = 15 * 60_000
/** Of those tried longest ago nothing is known any more, so that strangers can't fill the memory. */
const maxKeys = 10_000

interface BurstLimitOptions {
  readonly clock: Clock
  /** So many tries are free within any window. */
  readonly maxTries: number
  /** How many servers share the tries: each gives its part. */
  readonly servers?: () => number
  readonly windowMs: number
}

interface Entry {
  /** When the tries of the last window were made, oldest first. */
  tries: readonly number[]
  /** How often in a row a wait was imposed. */
  bursts: number
  waitUntilMs: number
}

/**
 * Counts a try and returns how long the key has to wait, 0 when it may go on. The first try beyond
 * the limit imposes a wait of one window, the next burst one twice as long, up to 15 minutes; after
 * as long a calm all is forgotten. Tries while waiting count for nothing, so that a page that
 * repeats itself does not lock its user out for longer.
 */
export type BurstLimit = (key: string) => number

export function createBurstLimit({
  clock,
  maxTries,
  servers = () => 1,
  windowMs,
}: BurstLimitOptions): BurstLimit {
  const entries = new LRUCache<string, Entry>(atMostEntries(maxKeys))

  return (key) => {
    const nowMs = clock()
    const entry = entries.get(key) ?? { tries: [], bursts: 0, waitUntilMs: 0 }
    if (nowMs < entry.waitUntilMs) return entry.waitUntilMs - nowMs

    const tries = entry.tries.filter((atMs) => nowMs - atMs < windowMs)
    const bursts = nowMs - entry.waitUntilMs < maxWaitMs ? entry.bursts : 0
    if (tries.length < Math.ceil(maxTries / servers())) {
      entries.set(key, { ...entry, tries: [...tries, nowMs], bursts })
      return 0
    }
    const waitMs = Math.min(windowMs * 2 ** bursts, maxWaitMs)
    entries.set(key, { tries: [], bursts: bursts + 1, waitUntilMs: nowMs + waitMs })
    return waitMs
  }
}
