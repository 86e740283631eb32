import type { ApiKey } from '@astropelago/contract/api-keys'
import type { ApiKeyRecord } from './api-keys-store.ts'

/** A key as its owner sees it. */
export function presentApiKey(record: ApiKeyRecord): ApiKey {
  const { id, name, start, scopes, createdMs, lastUsedMs, expiresMs } = record
  return {
    id,
    name,
    start,
    scopes: [...scopes],
    createdAt: new Date(createdMs).toISOString(),
    lastUsedAt: isoOrNull(lastUsedMs),
    expiresAt: isoOrNull(expiresMs),
  }
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
