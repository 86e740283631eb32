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
 * Sessions behind long-lived work, such as a stream. Aborts that work at once when this server ends the
 * session, and at the next `check` when another server ends it or it expires.
 */
export class WatchedSessions {
  readonly #options: WatchedSessionsOptions
  /** The key is the token's hash in hexadecimal. */
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

  /** Call it when all sessions of a user have ended. */
  noteUserEnd(userKey: number): void {
    for (const watched of this.#watched.values()) {
      if (watched.userKey === userKey) this.noteEnd(watched.tokenHash)
    }
  }

  /**
   * Finds sessions that expired or that another server ended. One query takes about 10 ms for 5000
   * sessions.
   */
  async check(): Promise<void> {
    if (this.#watched.size === 0) return
    const { store, clock } = this.#options
    const nowMs = clock()
    const hashes = [...this.#watched.values()].map(({ tokenHash }) => tokenHash)
    try {
      const ended = await store.findEndedSessions(hashes, { nowMs, ...sessionsOverAt(nowMs) })
      for (const tokenHash of ended) this.noteEnd(tokenHash)
    } catch (error) {
      // While the storage does not answer, assume that the sessions go on.
      if (!(error instanceof StorageUnavailable)) throw error
    }
  }
}

function keyOf(tokenHash: Uint8Array): string {
  return Buffer.from(tokenHash).toString('hex')
}
