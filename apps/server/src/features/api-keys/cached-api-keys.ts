import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../cache-bound.ts'
import type { Clock } from '../../clock.ts'
import type { ApiKeysStore, FoundApiKey } from './api-keys-store.ts'

/** What another server revokes or turns off is noticed within a second; what this one revokes, at once. */
const cachedMs = 900
const maxCached = 1000

export interface CachedApiKeys {
  /** The store to use from here on. */
  readonly store: ApiKeysStore
  /** To be called when keys ended, or their users, in another way than by the store. */
  readonly forgetAll: () => void
}

/** Holds keys in memory for a moment, where each call of a program would be a query. */
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
    // A stranger's guesses must not push out keys that there are.
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
      delete: async (userKey, id) => {
        const name = await store.delete(userKey, id)
        // What was asked for before that may know of it still.
        cache.clear()
        return name
      },
    },
  }
}
