import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../feature-base.ts'
import type { Serve } from '../../http/serve-route.ts'
import { counted, type OwnDataKind } from '../../own-data.ts'
import { apiKeysRoutes } from './api-keys-routes.ts'
import { authenticateApiKey } from './authenticate-api-key.ts'
import { cachedApiKeys } from './cached-api-keys.ts'
import { presentApiKey } from './present-api-key.ts'
import { sqlApiKeysStore } from './sql-api-keys-store.ts'

const deleteExpiredMs = 3_600_000
/** For how long an owner still sees that a key has expired. */
const expiredKeptMs = 30 * 86_400_000

/** Keys with which programs call the API in their user's name. */
export function apiKeysFeature({ storage, changes, clock, schedule, audit }: FeatureBase) {
  const { store, forgetAll } = cachedApiKeys(sqlApiKeysStore(storage), clock)
  changes.subscribe('users', forgetAll)
  schedule.everyOnLeader(deleteExpiredMs, 'expired API keys were kept', () =>
    store.deleteExpired(clock() - expiredKeptMs),
  )
  const ownData: OwnDataKind = {
    kind: 'apiKeys',
    count: async (userKey) => (await store.list(userKey)).length,
    text: (count) => counted(count, 'API key', 'API keys'),
    read: async function* (userKey) {
      for (const record of await store.list(userKey)) yield JSON.stringify(presentApiKey(record))
    },
  }
  return {
    /** For the export of an account: its keys without the secrets. */
    ownData,
    authenticate: authenticateApiKey({ store, clock }),
    routes: (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      apiKeysRoutes(app, { serve, store, clock, audit }),
  }
}
