/** Somebody who looked at an island from a network, which lets that network in for a while. */
export interface Admission {
  readonly islandKey: number
  readonly userKey: number
  readonly addressHash: Uint8Array
  readonly atMs: number
}

/** From which networks users looked at islands that have a port. */
export interface AdmissionsStore {
  /**
   * Notes it, once in `everyMs` at most: of one user and island the last `max` networks are kept.
   * @returns when it was noted the last time
   */
  readonly admit: (
    admission: Admission,
    limits: { readonly everyMs: number; readonly max: number },
  ) => Promise<number>
  /** Who looked at the island from this network since then, but for accounts that are turned off. */
  readonly usersAt: (
    islandKey: number,
    addressHash: Uint8Array,
    sinceMs: number,
  ) => Promise<readonly number[]>
  /** Those of these users who are there, and whose accounts are on. */
  readonly activeOf: (userKeys: readonly number[]) => Promise<readonly number[]>
  readonly deleteOld: (untilMs: number) => Promise<void>
}
