import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../cache-bound.ts'
import type { Clock } from '../../clock.ts'
import type { AccountsStore } from './accounts-store.ts'

export type FoundSession = Awaited<ReturnType<AccountsStore['findSession']>>

/** A change by another instance is noticed within this time even if nobody hears of it. */
const cachedMs = 900
const maxCached = 10_000

interface CachedSession {
  readonly asked: Promise<FoundSession>
  /** Set once the answer is there. */
  found?: FoundSession
}

export interface CachedSessions {
  /** The store to use from here on. It queries a session once for many requests. */
  readonly store: AccountsStore
  /** The session of a raw token, if it is in the cache. */
  readonly knownSession: (token: string) => FoundSession
  /** Call it when sessions have ended or their users have changed. */
  readonly forgetAll: () => void
}

/** Caches sessions briefly, to save a query for each request. */
export function cachedSessions(store: AccountsStore, clock: Clock): CachedSessions {
  const cache = new LRUCache<string, CachedSession>({
    ...atMostEntries(maxCached),
    ttl: cachedMs,
    ttlResolution: 0,
    perf: { now: clock },
  })

  const ask = (tokenHash: Uint8Array, digest: string): Promise<FoundSession> => {
    const asked = store.findSession(tokenHash)
    const session: CachedSession = { asked }
    cache.set(digest, session)
    const note = (found: FoundSession) => {
      session.found = found
      // Guessed tokens must not evict the sessions of real users.
      if (found === undefined) cache.delete(digest)
    }
    asked.then(note, () => note(undefined))
    return asked
  }

  return {
    knownSession: (token) => cache.get(hash('sha256', token, 'latin1'))?.found,
    store: {
      ...store,
      findSession: (tokenHash) => {
        const digest = latin1(tokenHash)
        return cache.get(digest)?.asked ?? ask(tokenHash, digest)
      },
      noteSessionUse: async (tokenHash, atMs) => {
        await store.noteSessionUse(tokenHash, atMs)
        cache.delete(latin1(tokenHash))
      },
    },
    forgetAll: () => cache.clear(),
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
