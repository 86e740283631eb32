import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../cache-bound.ts'
import type { Clock } from '../../clock.ts'
import { latin1 } from '../../secret-token.ts'
import type { AccountsStore, FoundSession } from './accounts-store.ts'

/** A change by another instance is noticed within this time even if it is not published. */
const cachedMs = 900
const maxCached = 10_000

interface CachedSession {
  readonly asked: Promise<FoundSession | undefined>
  found?: FoundSession | undefined
}

export function cachedSessions(store: AccountsStore, clock: Clock) {
  const cache = new LRUCache<string, CachedSession>({
    ...atMostEntries(maxCached),
    ttl: cachedMs,
    ttlResolution: 0,
    perf: { now: clock },
  })

  const ask = (tokenHash: Uint8Array, digest: string): Promise<FoundSession | undefined> => {
    const asked = store.findSession(tokenHash)
    const session: CachedSession = { asked }
    cache.set(digest, session)
    const settle = (found: FoundSession | undefined) => {
      session.found = found
      // Guessed tokens must not evict the sessions of real users.
      if (found === undefined) cache.delete(digest)
    }
    asked.then(settle, () => settle(undefined))
    return asked
  }

  return {
    store: {
      ...store,
      findSession: (tokenHash) => {
        const digest = latin1(tokenHash)
        return cache.get(digest)?.asked ?? ask(tokenHash, digest)
      },
      recordSessionUse: async (tokenHash, atMs) => {
        await store.recordSessionUse(tokenHash, atMs)
        cache.delete(latin1(tokenHash))
      },
    } satisfies AccountsStore,
    cachedSession: (token: string) => cache.get(hash('sha256', token, 'latin1'))?.found,
    forgetAll: () => cache.clear(),
  }
}
