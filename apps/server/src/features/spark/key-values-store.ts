export interface EntryId {
  readonly userKey: number
  /** Empty for the user's ordinary keys. */
  readonly collection: string
  readonly key: string
}

export type EntryWrite = EntryId &
  (
    | {
        /** 'default' keeps an existing value. */
        readonly kind: 'set' | 'default'
        /** JSON. */
        readonly value: string
      }
    | { readonly kind: 'delete' }
  )

export type WriteOutcome = 'done' | 'quota_exceeded'

export interface EntryQuota {
  readonly entries: number
  /** The size of the values in UTF-8. */
  readonly bytes: number
}

export interface KeyValuesStore {
  /** In the order of their code points. */
  readonly listKeys: (userKey: number, collection: string) => Promise<string[]>
  readonly listAll: (userKey: number) => Promise<readonly EntryId[]>
  readonly count: (userKey: number) => Promise<number>
  /** The values in the order asked for; null for missing ones. */
  readonly read: (ids: readonly EntryId[]) => Promise<readonly (string | null)[]>
  /** In order; resolves when all are durable. Leaves out writes beyond the quota, even simultaneous ones. */
  readonly write: (
    writes: readonly EntryWrite[],
    quota: EntryQuota,
  ) => Promise<readonly WriteOutcome[]>
}
