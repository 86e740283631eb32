import { randomUUID } from 'node:crypto'
import {
  apiKeyPrefix,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKey,
} from '@astropelago/contract/api-keys'
import { apiKeysPerUser } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import { actorOf } from '../../audit-log.ts'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { refuseDemo } from '../../http/refuse-demo.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import { hashToken, makeToken } from '../../secret-token.ts'
import type { ApiKeyRecord, ApiKeysStore } from './api-keys-store.ts'

/** As many characters as people need to tell two keys apart. The rest is still 220 bits strong. */
const startLength = apiKeyPrefix.length + 6
const dayMs = 86_400_000

/** Only signed-in users make and revoke keys. A key can't make another one. */
export async function apiKeysRoutes(
  app: FastifyInstance,
  options: Pick<FeatureBase, 'clock' | 'audit'> & {
    readonly serve: Serve
    readonly store: ApiKeysStore
  },
) {
  const { serve, store, clock, audit } = options

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
      if (!(await store.insert(inserted, apiKeysPerUser))) throw new DomainError('api_key_limit')
      await audit.note({
        actor: actorOf(user),
        action: 'api_key.created',
        subject: `api_key:${record.id}`,
        details: { name, scopes: scopes.join(' ') },
      })
      return { status: 201, body: { ...presentApiKey({ ...record, lastUsedMs: null }), key } }
    },
    { refuseCaller: refuseDemo },
  )

  serve(app, revokeApiKey, async ({ user, params: { id } }) => {
    const name = await store.delete(user.userKey, id)
    if (name === undefined) throw new DomainError('not_found')
    await audit.note({
      actor: actorOf(user),
      action: 'api_key.revoked',
      subject: `api_key:${id}`,
      details: { name },
    })
    return { status: 204 }
  })
}

export function presentApiKey(record: ApiKeyRecord): ApiKey {
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
