import type { ApiKeyScope } from '@astropelago/contract/api-key-scope'
import type { UserCaller } from '../../http/callers.ts'

export interface ApiKeyRecord {
  readonly id: string
  readonly name: string
  readonly start: string
  readonly scopes: readonly ApiKeyScope[]
  readonly createdMs: number
  readonly lastUsedMs: number | null
  readonly expiresMs: number | null
}

export interface NewApiKeyRecord extends Omit<ApiKeyRecord, 'lastUsedMs'> {
  readonly userKey: number
  readonly keyHash: Uint8Array
}

export type FoundApiKey = Pick<ApiKeyRecord, 'id' | 'scopes' | 'lastUsedMs' | 'expiresMs'> & {
  readonly user: Omit<UserCaller, 'isDemo' | 'isOperator' | 'apiKeyId'>
}

export interface ApiKeysStore {
  /** @returns false if the user has `limit` keys, even under simultaneous calls */
  readonly insert: (key: NewApiKeyRecord, limit: number) => Promise<boolean>
  /** Oldest first. */
  readonly list: (userKey: number) => Promise<readonly ApiKeyRecord[]>
  /** Undefined if there is none, or if its user is disabled. */
  readonly find: (keyHash: Uint8Array) => Promise<FoundApiKey | undefined>
  readonly recordUse: (keyHash: Uint8Array, atMs: number) => Promise<void>
  readonly delete: (userKey: number, id: string) => Promise<string | undefined>
  readonly deleteExpired: (untilMs: number) => Promise<void>
}
