/** A user who looked at an island from a network. That lets the network in for a while. */
export interface Admission {
  readonly islandKey: number
  readonly userKey: number
  readonly addressHash: Uint8Array
  readonly atMs: number
}

/** From which networks users looked at islands that have a port. */
export interface AdmissionsStore {
  /**
   * Records it, at most once in `everyMs`, and keeps the last `max` networks of a user on an island.
   * @returns when it was last recorded
   */
  readonly admit: (
    admission: Admission,
    limits: { readonly everyMs: number; readonly max: number },
  ) => Promise<number>
  /** Users who looked at the island from this network after `sinceMs`, without disabled accounts. */
  readonly usersAt: (
    islandKey: number,
    addressHash: Uint8Array,
    sinceMs: number,
  ) => Promise<readonly number[]>
  /** Those of these users whose accounts exist and are not disabled. */
  readonly activeOf: (userKeys: readonly number[]) => Promise<readonly number[]>
  readonly deleteOld: (untilMs: number) => Promise<void>
}
