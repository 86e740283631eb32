import {
  createApiKey as createApiKeyRoute,
  listApiKeys,
  revokeApiKey,
} from '@astropelago/contract/api-keys'
import type { FastifyInstance } from 'fastify'
import { actorOf, type AuditLog } from '../../audit-log.ts'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { ApiKeysStore } from './api-keys-store.ts'
import { createApiKey } from './create-api-key.ts'
import { presentApiKey } from './present-api-key.ts'

interface ApiKeysRoutesOptions {
  readonly serve: Serve
  readonly store: ApiKeysStore
  readonly clock: Clock
  readonly audit: Pick<AuditLog, 'note'>
}

/** Only signed-in users make and revoke keys. A key can't make another one. */
export async function apiKeysRoutes(app: FastifyInstance, options: ApiKeysRoutesOptions) {
  const { serve, store, clock, audit } = options

  serve(app, listApiKeys, async ({ user }) => {
    const records = await store.list(user.userKey)
    return { status: 200, body: records.map(presentApiKey) }
  })

  serve(
    app,
    createApiKeyRoute,
    async ({ user, body }) => {
      const { record, key } = await createApiKey({ store, clock }, user.userKey, body)
      await audit.note({
        actor: actorOf(user),
        action: 'api_key.created',
        subject: `api_key:${record.id}`,
        details: { name: record.name, scopes: record.scopes.join(' ') },
      })
      return { status: 201, body: { ...presentApiKey(record), key } }
    },
    {
      refuseCaller: ({ user }) => {
        if (user.isDemo) throw new DomainError('demo_account')
      },
    },
  )

  serve(app, revokeApiKey, async ({ user, params }) => {
    const name = await store.delete(user.userKey, params.id)
    if (name === undefined) throw new DomainError('not_found')
    await audit.note({
      actor: actorOf(user),
      action: 'api_key.revoked',
      subject: `api_key:${params.id}`,
      details: { name },
    })
    return { status: 204 }
  })
}
