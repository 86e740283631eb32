import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../cache-bound.ts'
import type { Clock } from '../../clock.ts'
import type { ApiKeysStore, FoundApiKey } from './api-keys-store.ts'

/** A revoked key is refused within this time, even if this server misses the change. */
const cachedMs = 900
const maxCached = 1000

/** Caches keys for a moment. Otherwise each call of a program would be a query. */
export function cachedApiKeys(store: ApiKeysStore, clock: Clock) {
  const cache = new LRUCache<string, Promise<FoundApiKey | undefined>>({
    ...atMostEntries(maxCached),
    ttl: cachedMs,
    ttlResolution: 0,
    perf: { now: clock },
  })
  const ask = (keyHash: Uint8Array, digest: string) => {
    const asked = store.find(keyHash)
    cache.set(digest, asked)
    const forget = () => {
      if (cache.peek(digest) === asked) cache.delete(digest)
    }
    // A stranger's guesses must not push real keys out of memory.
    asked.then((found) => found ?? forget(), forget)
    return asked
  }
  const cachedStore: ApiKeysStore = {
    ...store,
    find: (keyHash) => {
      const digest = digestOf(keyHash)
      return cache.get(digest) ?? ask(keyHash, digest)
    },
    recordUse: async (keyHash, atMs) => {
      await store.recordUse(keyHash, atMs)
      cache.delete(digestOf(keyHash))
    },
  }
  return { store: cachedStore, forgetAll: () => cache.clear() }
}

function digestOf(keyHash: Uint8Array): string {
  return Buffer.from(keyHash).toString('latin1')
}
