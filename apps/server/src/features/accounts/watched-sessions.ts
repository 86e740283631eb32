import type { Clock } from '../../clock.ts'
import type { WatchedSession } from '../../http/watch-session.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import type { AccountsStore, SessionRecord } from './accounts-store.ts'
import { sessionsOverAt } from './find-signed-in-user.ts'

type SessionId = Pick<SessionRecord, 'tokenHash' | 'userKey'>

interface Watched extends SessionId {
  readonly watchers: Set<AbortController>
}

/**
 * Sessions behind long-lived work, such as a stream. `checkUsers` aborts that work at once when a session
 * has ended, and `check` when it has expired.
 */
export class WatchedSessions {
  readonly #store: Pick<AccountsStore, 'findEndedSessions'>
  readonly #clock: Clock
  /** The key is the token's hash in hexadecimal. */
  readonly #watched = new Map<string, Watched>()

  constructor({
    store,
    clock,
  }: {
    readonly store: Pick<AccountsStore, 'findEndedSessions'>
    readonly clock: Clock
  }) {
    this.#store = store
    this.#clock = clock
  }

  watch({ tokenHash, userKey }: SessionId): WatchedSession {
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

  /** Finds sessions that ended or expired. One query takes about 10 ms for 5000 sessions. */
  async check(): Promise<void> {
    await this.#check([...this.#watched.values()])
  }

  /** The same for the sessions of these users. */
  async checkUsers(userKeys: readonly number[]): Promise<void> {
    const all = [...this.#watched.values()]
    await this.#check(all.filter(({ userKey }) => userKeys.includes(userKey)))
  }

  async #check(watched: readonly Watched[]): Promise<void> {
    if (watched.length === 0) return
    const nowMs = this.#clock()
    const hashes = watched.map(({ tokenHash }) => tokenHash)
    try {
      const until = { nowMs, ...sessionsOverAt(nowMs) }
      const ended = await this.#store.findEndedSessions(hashes, until)
      for (const tokenHash of ended) this.#end(tokenHash)
    } catch (error) {
      // While the storage does not answer, the sessions are assumed to be alive.
      if (!(error instanceof StorageUnavailable)) throw error
    }
  }

  #end(tokenHash: Uint8Array): void {
    const key = keyOf(tokenHash)
    const watched = this.#watched.get(key)
    if (watched === undefined) return
    this.#watched.delete(key)
    for (const watcher of watched.watchers) watcher.abort()
  }
}

function keyOf(tokenHash: Uint8Array): string {
  return Buffer.from(tokenHash).toString('hex')
}
