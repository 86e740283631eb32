import type { ApiKeyScope } from '@astropelago/contract/api-key-scope'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import { bearerToken } from '../../http/bearer-token.ts'
import type { UserCaller } from '../../http/callers.ts'
import { hashToken } from '../../secret-token.ts'
import type { ApiKeysStore } from './api-keys-store.ts'

/** A use is recorded at most this often, because each write syncs the disk. */
const useNotedEveryMs = 60_000

interface AuthenticateApiKeyOptions {
  readonly store: ApiKeysStore
  readonly clock: Clock
}

/** Identifies the user in whose name a key calls. Every bad key gets the same answer. */
export function authenticateApiKey({ store, clock }: AuthenticateApiKeyOptions) {
  return async (request: FastifyRequest, scope: ApiKeyScope): Promise<UserCaller> => {
    const keyHash = hashToken(bearerToken(request))
    const found = await store.find(keyHash)
    const nowMs = clock()
    if (found === undefined || (found.expiresMs !== null && found.expiresMs <= nowMs)) {
      throw new DomainError('invalid_api_key')
    }
    const { id, scopes, lastUsedMs, user } = found
    if (!scopes.includes(scope)) throw new DomainError('missing_scope')
    if (nowMs - (lastUsedMs ?? 0) >= useNotedEveryMs) await store.noteUse(keyHash, nowMs)
    const { key: userKey, ...shown } = user
    // Demo users have no keys, and no operator's route accepts one.
    return { ...shown, userKey, isDemo: false, isOperator: false, apiKeyId: id }
  }
}
