import { briefCache } from '../../brief-cache.ts'
import type { Clock } from '../../clock.ts'
import type { AccountsStore } from './accounts-store.ts'

const maxCached = 10_000

export function cachedSessions(store: AccountsStore, clock: Clock) {
  const cache = briefCache(store.findSession, { clock, max: maxCached })
  return {
    store: {
      ...store,
      findSession: cache.find,
      recordSessionUse: async (tokenHash, atMs) => {
        await store.recordSessionUse(tokenHash, atMs)
        cache.forget(tokenHash)
      },
    } satisfies AccountsStore,
    cachedSession: cache.cached,
    forgetAll: cache.forgetAll,
  }
}
