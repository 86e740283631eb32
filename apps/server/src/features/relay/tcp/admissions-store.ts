export interface AdmissionsStore {
  /** Recorded at most once in `everyMs`, for `max` networks of a user. @returns when it was last recorded */
  readonly admit: (
    admission: {
      readonly islandKey: number
      readonly userKey: number
      readonly addressHash: Uint8Array
      readonly atMs: number
    },
    limits: { readonly everyMs: number; readonly max: number },
  ) => Promise<number>
  /** Users who opened the island from this network after `sinceMs`, without disabled accounts. */
  readonly usersAt: (
    islandKey: number,
    addressHash: Uint8Array,
    sinceMs: number,
  ) => Promise<readonly number[]>
  readonly activeOf: (userKeys: readonly number[]) => Promise<readonly number[]>
  readonly deleteOld: (untilMs: number) => Promise<void>
}
