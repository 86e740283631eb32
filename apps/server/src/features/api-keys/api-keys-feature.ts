import type { ApiKeyScope } from '@astropelago/contract/api-key-scope'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../cache-bound.ts'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { bearerToken } from '../../http/bearer-token.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { Serve } from '../../http/serve-route.ts'
import { counted, ownList } from '../../own-data.ts'
import { hashToken, latin1 } from '../../secret-token.ts'
import { apiKeysRoutes, presentApiKey } from './api-keys-routes.ts'
import type { ApiKeysStore, FoundApiKey } from './api-keys-store.ts'
import { sqlApiKeysStore } from './sql-api-keys-store.ts'

const deleteExpiredMs = 3_600_000
/** For how long an owner still sees that a key has expired. */
const expiredVisibleMs = 30 * 86_400_000
/** A use is recorded at most this often, because each write syncs the disk. */
const recordUseEveryMs = 60_000
/** A revoked key is refused within this time, even if this server misses the change. */
const cachedMs = 900
const maxCached = 1000

export function apiKeysFeature({ storage, changes, clock, schedule, audit }: FeatureBase) {
  const { store, forgetAll } = cachedApiKeys(sqlApiKeysStore(storage), clock)
  changes.subscribe('users', forgetAll)
  schedule.everyOnLeader(deleteExpiredMs, 'expired API keys were not deleted', () =>
    store.deleteExpired(clock() - expiredVisibleMs),
  )
  return {
    ownData: ownList({
      kind: 'apiKeys',
      text: (count) => counted(count, 'API key', 'API keys'),
      list: async (userKey) => (await store.list(userKey)).map(presentApiKey),
    }),
    /** Every bad key gets the same answer. */
    authenticate: async (request: FastifyRequest, scope: ApiKeyScope): Promise<UserCaller> => {
      const keyHash = hashToken(bearerToken(request))
      const found = await store.find(keyHash)
      const nowMs = clock()
      if (found === undefined || (found.expiresMs !== null && found.expiresMs <= nowMs)) {
        throw new DomainError('invalid_api_key')
      }
      const { id, scopes, lastUsedMs, user } = found
      if (!scopes.includes(scope)) throw new DomainError('missing_scope')
      if (nowMs - (lastUsedMs ?? 0) >= recordUseEveryMs) await store.recordUse(keyHash, nowMs)
      // Demo users have no keys, and no operator's route accepts one.
      return { ...user, isDemo: false, isOperator: false, apiKeyId: id }
    },
    routes: (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      apiKeysRoutes(app, { serve, store, clock, audit }),
  }
}

/** Caches keys for a moment. Otherwise each call of a program would be a query. */
function cachedApiKeys(store: ApiKeysStore, clock: Clock) {
  const cache = new LRUCache<string, Promise<FoundApiKey | undefined>>({
    ...atMostEntries(maxCached),
    ttl: cachedMs,
    ttlResolution: 0,
    perf: { now: clock },
  })
  const cachedStore: ApiKeysStore = {
    ...store,
    find: (keyHash) => {
      const digest = latin1(keyHash)
      const cached = cache.get(digest)
      if (cached !== undefined) return cached
      const asked = store.find(keyHash)
      cache.set(digest, asked)
      const forget = () => {
        if (cache.peek(digest) === asked) cache.delete(digest)
      }
      // A stranger's guesses must not push real keys out of memory.
      asked.then((found) => found ?? forget(), forget)
      return asked
    },
    recordUse: async (keyHash, atMs) => {
      await store.recordUse(keyHash, atMs)
      cache.delete(latin1(keyHash))
    },
  }
  return { store: cachedStore, forgetAll: () => cache.clear() }
}
