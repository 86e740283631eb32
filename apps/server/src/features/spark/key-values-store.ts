export interface EntryId {
  readonly userKey: number
  /** Empty for the user's ordinary keys. */
  readonly collection: string
  readonly key: string
}

export type EntryWrite = EntryId &
  (
    | {
        /** 'default' leaves a value that is there alone. */
        readonly kind: 'set' | 'default'
        /** JSON. */
        readonly value: string
      }
    | { readonly kind: 'delete' }
  )

export type WriteOutcome = 'done' | 'quota_exceeded'

export interface EntryQuota {
  readonly entries: number
  /** Of values, in UTF-8. */
  readonly bytes: number
}

/** The key-value store of every user. A user sees and counts only their own entries. */
export interface KeyValuesStore {
  /** In the order of their code points. */
  readonly listKeys: (userKey: number, collection: string) => Promise<string[]>
  /** All of a user's keys, of all collections, in no order that counts. */
  readonly listAll: (userKey: number) => Promise<readonly EntryId[]>
  readonly count: (userKey: number) => Promise<number>
  /** The values in the order asked for; null where there is none. */
  readonly read: (ids: readonly EntryId[]) => Promise<readonly (string | null)[]>
  /**
   * Does the writes one after the other, all of them durable when it resolves. What would take a
   * user past the quota is left out, also when many write at once.
   */
  readonly write: (
    writes: readonly EntryWrite[],
    quota: EntryQuota,
  ) => Promise<readonly WriteOutcome[]>
}
