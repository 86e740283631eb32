import { dayMs } from '../../history/time-spans.ts'
import { randomUUID } from 'node:crypto'
import type { ApiKeyScope } from '@astropelago/contract/api-key-scope'
import {
  apiKeyPrefix,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKey,
} from '@astropelago/contract/api-keys'
import { apiKeysPerUser } from '@astropelago/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { auditUser } from '../../audit-log.ts'
import { briefCache } from '../../brief-cache.ts'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { bearerToken } from '../../http/bearer-token.ts'
import type { UserCaller } from '../../http/callers.ts'
import { refuseDemo } from '../../http/refuse-demo.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import { counted, ownList } from '../../own-data.ts'
import { hashToken, makeToken } from '../../secret-token.ts'
import type { ApiKeyRecord } from './api-keys-store.ts'
import { sqlApiKeysStore } from './sql-api-keys-store.ts'

const deleteExpiredMs = 3_600_000
const expiredVisibleMs = 30 * 86_400_000
/** A use is recorded at most this often, because each write syncs the disk. */
const recordUseEveryMs = 60_000
const maxCached = 1000
/** As many characters as people need to tell two keys apart. The rest is still 220 bits strong. */
const startLength = apiKeyPrefix.length + 6

export function apiKeysFeature({ storage, changes, clock, schedule, audit }: FeatureBase) {
  const store = sqlApiKeysStore(storage)
  const cache = briefCache(store.find, { clock, max: maxCached })
  changes.subscribe('users', cache.forgetAll)
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
      const found = await cache.find(keyHash)
      const nowMs = clock()
      if (found === undefined || (found.expiresMs !== null && found.expiresMs <= nowMs)) {
        throw new DomainError('invalid_api_key')
      }
      const { id, scopes, lastUsedMs, user } = found
      if (!scopes.includes(scope)) throw new DomainError('missing_scope')
      if (nowMs - (lastUsedMs ?? 0) >= recordUseEveryMs) {
        await store.recordUse(keyHash, nowMs)
        cache.forget(keyHash)
      }
      // Demo users have no keys, and no operator's route accepts one.
      return { ...user, isDemo: false, isOperator: false, apiKeyId: id }
    },
    /** Only signed-in users make and revoke keys. A key can't make another one. */
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) => {
      serve(app, listApiKeys, async ({ user }) => {
        const records = await store.list(user.userKey)
        return { status: 200, body: records.map(presentApiKey) }
      })

      serve(
        app,
        createApiKey,
        async ({ user, body: { name, scopes, expiresInDays } }) => {
          const key = makeToken(apiKeyPrefix)
          const nowMs = clock()
          const record = {
            id: randomUUID(),
            name,
            start: key.slice(0, startLength),
            scopes,
            createdMs: nowMs,
            expiresMs: expiresInDays === null ? null : nowMs + expiresInDays * dayMs,
          }
          const inserted = { ...record, userKey: user.userKey, keyHash: hashToken(key) }
          if (!(await store.insert(inserted, apiKeysPerUser)))
            throw new DomainError('api_key_limit')
          const details = { name, scopes: scopes.join(' ') }
          await auditUser(audit, user, 'api_key.created', `api_key:${record.id}`, details)
          return { status: 201, body: { ...presentApiKey({ ...record, lastUsedMs: null }), key } }
        },
        { refuseCaller: refuseDemo },
      )

      serve(app, revokeApiKey, async ({ user, params: { id } }) => {
        const name = await store.delete(user.userKey, id)
        if (name === undefined) throw new DomainError('not_found')
        await auditUser(audit, user, 'api_key.revoked', `api_key:${id}`, { name })
        return { status: 204 }
      })
    },
  }
}

function presentApiKey(record: ApiKeyRecord): ApiKey {
  const { id, name, start, scopes, createdMs, lastUsedMs, expiresMs } = record
  return {
    id,
    name,
    start,
    scopes: [...scopes],
    createdAt: isoTime(createdMs),
    lastUsedAt: isoTime(lastUsedMs),
    expiresAt: isoTime(expiresMs),
  }
}
