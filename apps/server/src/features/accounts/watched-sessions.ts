import type { Clock } from '../../clock.ts'
import type { WatchedSession } from '../../http/watch-session.ts'
import { latin1 } from '../../secret-token.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import type { AccountsStore, SessionRecord } from './accounts-store.ts'
import { sessionsOverAt } from './find-signed-in-user.ts'

type SessionId = Pick<SessionRecord, 'tokenHash' | 'userKey'>

interface Watched extends SessionId {
  readonly watchers: Set<AbortController>
}

/** Aborts long-lived work, such as a stream, once its session has ended or expired. */
export function watchedSessions({
  store,
  clock,
}: {
  readonly store: Pick<AccountsStore, 'findEndedSessions'>
  readonly clock: Clock
}) {
  const byHash = new Map<string, Watched>()

  const end = (tokenHash: Uint8Array) => {
    const key = latin1(tokenHash)
    const watchers = byHash.get(key)?.watchers ?? []
    byHash.delete(key)
    for (const watcher of watchers) watcher.abort()
  }

  const check = async (watched: readonly Watched[]) => {
    if (watched.length === 0) return
    const nowMs = clock()
    const hashes = watched.map(({ tokenHash }) => tokenHash)
    try {
      const ended = await store.findEndedSessions(hashes, { nowMs, ...sessionsOverAt(nowMs) })
      for (const tokenHash of ended) end(tokenHash)
    } catch (error) {
      // While the storage does not answer, the sessions are assumed to be alive.
      if (!(error instanceof StorageUnavailable)) throw error
    }
  }

  return {
    watch: ({ tokenHash, userKey }: SessionId): WatchedSession => {
      const key = latin1(tokenHash)
      const watched = byHash.get(key) ?? { tokenHash, userKey, watchers: new Set() }
      const watcher = new AbortController()
      byHash.set(key, watched)
      watched.watchers.add(watcher)
      return {
        signal: watcher.signal,
        stop: () => {
          watched.watchers.delete(watcher)
          if (watched.watchers.size === 0 && byHash.get(key) === watched) byHash.delete(key)
        },
      }
    },
    /** One query, which takes about 10 ms for 5000 sessions. */
    check: () => check([...byHash.values()]),
    checkUsers: (userKeys: readonly number[]) =>
      check([...byHash.values()].filter(({ userKey }) => userKeys.includes(userKey))),
  }
}
