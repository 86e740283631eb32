import { randomUUID } from 'node:crypto'
import { apiKeyPrefix, type NewApiKey } from '@astropelago/contract/api-keys'
import { apiKeysPerUser } from '@astropelago/contract/limits'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import { hashToken, makeToken } from '../../secret-token.ts'
import type { ApiKeyRecord, ApiKeysStore } from './api-keys-store.ts'

/** As many characters as people need to tell two keys apart. The rest is still 220 bits strong. */
const startLength = apiKeyPrefix.length + 6
const dayMs = 86_400_000

/** @throws DomainError `api_key_limit` */
export async function createApiKey(
  { store, clock }: { readonly store: ApiKeysStore; readonly clock: Clock },
  userKey: number,
  { name, scopes, expiresInDays }: NewApiKey,
): Promise<{ readonly record: ApiKeyRecord; readonly key: string }> {
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
  const isInserted = await store.insert(
    { ...record, userKey, keyHash: hashToken(key) },
    apiKeysPerUser,
  )
  if (!isInserted) throw new DomainError('api_key_limit')
  return { record: { ...record, lastUsedMs: null }, key }
}
