import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { atMostEntries } from './cache-bound.ts'
import type { Clock } from './clock.ts'
import { latin1 } from './secret-token.ts'

/** A change by another instance is noticed within this time even if it is not published. */
const cachedMs = 900

interface Cached<Found> {
  readonly asked: Promise<Found | undefined>
  found?: Found | undefined
}

/** Caches what a query finds by the hash of a secret, to save a query for each request. */
export function briefCache<Found>(
  find: (hash: Uint8Array) => Promise<Found | undefined>,
  { clock, max }: { readonly clock: Clock; readonly max: number },
) {
  const cache = new LRUCache<string, Cached<Found>>({
    ...atMostEntries(max),
    ttl: cachedMs,
    ttlResolution: 0,
    perf: { now: clock },
  })
  return {
    find: (secretHash: Uint8Array): Promise<Found | undefined> => {
      const digest = latin1(secretHash)
      const cached = cache.get(digest)
      if (cached !== undefined) return cached.asked
      const entry: Cached<Found> = { asked: find(secretHash) }
      cache.set(digest, entry)
      const settle = (found: Found | undefined) => {
        entry.found = found
        // Guessed secrets must not evict those of real users.
        if (found === undefined && cache.peek(digest) === entry) cache.delete(digest)
      }
      entry.asked.then(settle, () => settle(undefined))
      return entry.asked
    },
    /** What is cached for a secret, without waiting. */
    cached: (secret: string) => cache.get(hash('sha256', secret, 'latin1'))?.found,
    forget: (secretHash: Uint8Array) => cache.delete(latin1(secretHash)),
    forgetAll: () => cache.clear(),
  }
}
