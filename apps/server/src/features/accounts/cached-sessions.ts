import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../cache-bound.ts'
import type { Clock } from '../../clock.ts'
import type { AccountsStore } from './accounts-store.ts'
import type { WatchedSessions } from './watched-sessions.ts'

export type FoundSession = Awaited<ReturnType<AccountsStore['findSession']>>

/** A change by another instance is noticed within a second, one by this instance at once. */
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
}

interface CachedSessionsOptions {
  readonly clock: Clock
  /** Receives each session that ends. */
  readonly watched: Pick<WatchedSessions, 'noteEnd' | 'noteUserEnd'>
  /** Called when all of a user's sessions and API keys have ended, to clear other features' caches. */
  readonly noteAccessEnd?: () => void
}

/** Caches sessions briefly, to save a query for each request. */
export function cachedSessions(
  store: AccountsStore,
  { clock, watched, noteAccessEnd = () => undefined }: CachedSessionsOptions,
): CachedSessions {
  const cache = new LRUCache<string, CachedSession>({
    ...atMostEntries(maxCached),
    ttl: cachedMs,
    ttlResolution: 0,
    perf: { now: clock },
  })
  const forget = (tokenHash: Uint8Array) => cache.delete(latin1(tokenHash))

  const forgetEnded = (tokenHash: Uint8Array) => {
    forget(tokenHash)
    watched.noteEnd(tokenHash)
  }

  const forgetAllOf = (userKey: number) => {
    cache.clear()
    watched.noteUserEnd(userKey)
  }

  const forgetAllAccess = (userKey: number) => {
    forgetAllOf(userKey)
    noteAccessEnd()
  }

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
        forget(tokenHash)
      },
      startSession: async (session, replacedTokenHash, ...limits) => {
        const ended = await store.startSession(session, replacedTokenHash, ...limits)
        if (ended === undefined) return undefined
        if (replacedTokenHash !== null) forgetEnded(replacedTokenHash)
        for (const tokenHash of ended) forgetEnded(tokenHash)
        return ended
      },
      endSession: async (tokenHash) => {
        const ended = await store.endSession(tokenHash)
        forgetEnded(tokenHash)
        return ended
      },
      endOwnSession: async (userKey, id) => {
        const ended = await store.endOwnSession(userKey, id)
        if (ended !== undefined) forgetEnded(ended.tokenHash)
        return ended
      },
      endOtherSessions: async (userKey, keptTokenHash) => {
        const ended = await store.endOtherSessions(userKey, keptTokenHash)
        for (const tokenHash of ended) forgetEnded(tokenHash)
        return ended
      },
      replacePassword: async (userKey, from, to) => {
        const isReplaced = await store.replacePassword(userKey, from, to)
        if (isReplaced) forgetAllAccess(userKey)
        return isReplaced
      },
      resetPassword: async (codeHash, nowMs, to) => {
        const user = await store.resetPassword(codeHash, nowMs, to)
        if (user !== undefined) forgetAllAccess(user.key)
        return user
      },
      deleteSessions: async (until) => {
        const deleted = await store.deleteSessions(until)
        cache.clear()
        return deleted
      },
      update: async (userKey, changes) => {
        const user = await store.update(userKey, changes)
        cache.clear()
        return user
      },
      setAvatar: async (userKey, image) => {
        const user = await store.setAvatar(userKey, image)
        cache.clear()
        return user
      },
      endSessions: async (userKey) => {
        const ended = await store.endSessions(userKey)
        forgetAllOf(userKey)
        return ended
      },
      setDisabled: async (userKey, disabledMs) => {
        const deviceKeys = await store.setDisabled(userKey, disabledMs)
        forgetAllAccess(userKey)
        return deviceKeys
      },
      deleteUser: async (userKey) => {
        const ended = await store.deleteUser(userKey)
        forgetAllAccess(userKey)
        return ended
      },
    },
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
