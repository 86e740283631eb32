import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../cache-bound.ts'
import type { Clock } from '../../clock.ts'
import type { ApiKeysStore, FoundApiKey } from './api-keys-store.ts'

/** A key that is revoked is refused within this time even if nobody hears of it. */
const cachedMs = 900
const maxCached = 1000

export interface CachedApiKeys {
  /** The store to use from here on. */
  readonly store: ApiKeysStore
  /** Call it when keys have ended or their users have changed. Queries that began earlier may still find them. */
  readonly forgetAll: () => void
}

/** Keeps keys in memory for a moment. Otherwise each call of a program would be a query. */
export function cachedApiKeys(store: ApiKeysStore, clock: Clock): CachedApiKeys {
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
  return {
    forgetAll: () => cache.clear(),
    store: {
      ...store,
      find: (keyHash) => {
        const digest = Buffer.from(keyHash).toString('latin1')
        return cache.get(digest) ?? ask(keyHash, digest)
      },
      noteUse: async (keyHash, atMs) => {
        await store.noteUse(keyHash, atMs)
        cache.delete(Buffer.from(keyHash).toString('latin1'))
      },
    },
  }
}
