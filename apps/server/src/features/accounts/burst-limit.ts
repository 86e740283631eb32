import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../cache-bound.ts'
import type { Clock } from '../../clock.ts'

const maxWaitMs = 15 * 60_000
/** The keys tried longest ago are forgotten, so that strangers can't fill the memory. */
const maxKeys = 10_000

interface BurstLimitOptions {
  readonly clock: Clock
  /** Free tries within any window. */
  readonly maxTries: number
  /** How many servers share the limit. Each allows its part of the tries. */
  readonly servers?: () => number
  readonly windowMs: number
}

interface Entry {
  /** Times of the tries in the last window, oldest first. */
  tries: readonly number[]
  /** How many waits in a row were imposed. */
  bursts: number
  waitUntilMs: number
}

/**
 * Counts a try and returns how long the key must wait in ms, 0 if it may proceed. The first try beyond the
 * limit imposes a wait of one window. Each further burst doubles the wait, up to 15 minutes. After 15 calm
 * minutes the doubling starts over. Tries during a wait do not count, so a page that retries does not lock
 * its user out for longer.
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
