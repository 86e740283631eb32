import type { ApiKeyScope } from '@astropelago/contract/api-key-scope'

export interface ApiKeyRecord {
  readonly id: string
  readonly name: string
  readonly start: string
  readonly scopes: readonly ApiKeyScope[]
  readonly createdMs: number
  readonly lastUsedMs: number | null
  /** Null if it is valid until it is revoked. */
  readonly expiresMs: number | null
}

export interface NewApiKeyRecord extends Omit<ApiKeyRecord, 'lastUsedMs'> {
  readonly userKey: number
  readonly keyHash: Uint8Array
}

/** A key with the user in whose name it calls. */
export interface FoundApiKey extends Pick<
  ApiKeyRecord,
  'id' | 'scopes' | 'lastUsedMs' | 'expiresMs'
> {
  readonly user: {
    readonly key: number
    readonly username: string
    readonly name: string | null
    readonly avatar: string | null
    readonly hue: number | null
    readonly isNamePublic: boolean
  }
}

/** Calls that name a user affect only that user's keys. */
export interface ApiKeysStore {
  /**
   * Never exceeds `limit` for a user, even under simultaneous calls.
   * @returns whether it was inserted
   */
  readonly insert: (key: NewApiKeyRecord, limit: number) => Promise<boolean>
  /** Oldest first. */
  readonly list: (userKey: number) => Promise<readonly ApiKeyRecord[]>
  /** Undefined if there is none, or if its user is disabled. */
  readonly find: (keyHash: Uint8Array) => Promise<FoundApiKey | undefined>
  readonly noteUse: (keyHash: Uint8Array, atMs: number) => Promise<void>
  /** @returns the name of the deleted key */
  readonly delete: (userKey: number, id: string) => Promise<string | undefined>
  readonly deleteExpired: (untilMs: number) => Promise<void>
}
