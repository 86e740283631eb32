import type { ApiKeyScope } from '@astropelago/contract/api-key-scope'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { bearerToken } from '../../http/bearer-token.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { Serve } from '../../http/serve-route.ts'
import { counted, ownList } from '../../own-data.ts'
import { hashToken } from '../../secret-token.ts'
import { apiKeysRoutes, presentApiKey } from './api-keys-routes.ts'
import { cachedApiKeys } from './cached-api-keys.ts'
import { sqlApiKeysStore } from './sql-api-keys-store.ts'

const deleteExpiredMs = 3_600_000
/** For how long an owner still sees that a key has expired. */
const expiredVisibleMs = 30 * 86_400_000
/** A use is recorded at most this often, because each write syncs the disk. */
const recordUseEveryMs = 60_000

/** Keys with which programs call the API in their user's name. */
export function apiKeysFeature({ storage, changes, clock, schedule, audit }: FeatureBase) {
  const { store, forgetAll } = cachedApiKeys(sqlApiKeysStore(storage), clock)
  changes.subscribe('users', forgetAll)
  schedule.everyOnLeader(deleteExpiredMs, 'expired API keys were kept', () =>
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
