import type { Clock } from '../../clock.ts'
import type { WatchedSession } from '../../http/watch-session.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import type { AccountsStore, SessionRecord } from './accounts-store.ts'
import { sessionsOverAt } from './session-lifetime.ts'

interface WatchedSessionsOptions {
  readonly store: Pick<AccountsStore, 'findEndedSessions'>
  readonly clock: Clock
}

interface Watched extends Pick<SessionRecord, 'tokenHash' | 'userKey'> {
  readonly watchers: Set<AbortController>
}

/**
 * Sessions by which something goes on for longer than most calls, such as a stream. What this server ends
 * is told at once; what another one ends, or time, by the next `check`.
 */
export class WatchedSessions {
  readonly #options: WatchedSessionsOptions
  /** By the token's hash in hexadecimal. */
  readonly #watched = new Map<string, Watched>()

  constructor(options: WatchedSessionsOptions) {
    this.#options = options
  }

  watch({ tokenHash, userKey }: Pick<SessionRecord, 'tokenHash' | 'userKey'>): WatchedSession {
    const key = keyOf(tokenHash)
    const watched = this.#watched.get(key) ?? { tokenHash, userKey, watchers: new Set() }
    const watcher = new AbortController()
    this.#watched.set(key, watched)
    watched.watchers.add(watcher)
    return {
      signal: watcher.signal,
      stop: () => {
        watched.watchers.delete(watcher)
        if (watched.watchers.size > 0 || this.#watched.get(key) !== watched) return
        this.#watched.delete(key)
      },
    }
  }

  noteEnd(tokenHash: Uint8Array): void {
    const key = keyOf(tokenHash)
    const watched = this.#watched.get(key)
    if (watched === undefined) return
    this.#watched.delete(key)
    for (const watcher of watched.watchers) watcher.abort()
  }

  /** To be called when all sessions of a user have ended. */
  noteUserEnd(userKey: number): void {
    for (const watched of this.#watched.values()) {
      if (watched.userKey === userKey) this.noteEnd(watched.tokenHash)
    }
  }

  /** Looks for those that have ended without a word: one query, of some 10 ms for 5000 sessions. */
  async check(): Promise<void> {
    if (this.#watched.size === 0) return
    const { store, clock } = this.#options
    const nowMs = clock()
    const hashes = [...this.#watched.values()].map(({ tokenHash }) => tokenHash)
    try {
      const ended = await store.findEndedSessions(hashes, { nowMs, ...sessionsOverAt(nowMs) })
      for (const tokenHash of ended) this.noteEnd(tokenHash)
    } catch (error) {
      // A storage that does not answer says nothing about sessions.
      if (!(error instanceof StorageUnavailable)) throw error
    }
  }
}

function keyOf(tokenHash: Uint8Array): string {
  return Buffer.from(tokenHash).toString('hex')
}
