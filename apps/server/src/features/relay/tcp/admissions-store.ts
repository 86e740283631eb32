/** From which networks users opened islands that have a port. */
export interface AdmissionsStore {
  /**
   * Lets a network in for a user who opened the island from it. Records that at most once in `everyMs`, and
   * keeps the last `max` networks of a user on an island.
   * @returns when it was last recorded
   */
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
  /** Those of these users whose accounts exist and are not disabled. */
  readonly activeOf: (userKeys: readonly number[]) => Promise<readonly number[]>
  readonly deleteOld: (untilMs: number) => Promise<void>
}
