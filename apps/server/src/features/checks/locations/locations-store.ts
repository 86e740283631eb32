/** A device whose agent may look at addresses for others. */
export interface Location {
  readonly deviceKey: number
  readonly deviceId: string
  readonly userKey: number
  /** What others know it by. */
  readonly id: string
  /** What its owner calls the region for others; null for nothing. */
  readonly region: string | null
  /** Whether its owner agreed that owners of checked addresses see its IP address. */
  readonly isLending: boolean
  /** When its owner last agreed. */
  readonly consentedMs: number | null
}

/** That a user may have an address looked at by others. */
export interface Proof {
  readonly userKey: number
  /** Host and port. */
  readonly place: string
  /** What has to be found there. The same for all places of a user. */
  readonly code: string
  /** When it was found last. */
  readonly provenMs: number | null
  readonly askedMs: number | null
}

/** A location that disagrees with all others about a check. */
export interface Doubt {
  readonly checkKey: number
  readonly deviceKey: number
  readonly sinceMs: number
}

/** Disabled users lend nothing and have nothing looked at. */
export interface LocationsStore {
  readonly listLending: () => Promise<readonly Location[]>
  /** Of the user's devices that have ever been asked about, by device. */
  readonly listOwn: (userKey: number) => Promise<readonly Location[]>
  readonly read: (deviceKeys: readonly number[]) => Promise<readonly Location[]>
  /** @throws ReferenceViolation if the device is gone */
  readonly setLending: (
    deviceKey: number,
    change: {
      readonly id: string
      readonly isLending: boolean
      readonly region: string | null
      readonly atMs: number
    },
  ) => Promise<void>
  /** How often a location looked since a time, by the check. */
  readonly countLooks: (
    deviceKey: number,
    sinceMs: number,
  ) => Promise<readonly { readonly checkKey: number; readonly count: number }[]>
  /**
   * Which devices looked at public checks, or the reader's own, since a time, and lend themselves still. Neither
   * they nor the carrier of the island need be public.
   */
  readonly findArcs: (
    subject: { readonly of: 'checks' | 'islands' | 'devices'; readonly id: string },
    reader: { readonly userKey: number | null; readonly sinceMs: number },
  ) => Promise<readonly { readonly deviceKey: number; readonly carrierKey: number | null }[]>

  /**
   * A new one deletes the user's proofs of places that are no longer in use (S52).
   * @returns the proof that is there, or a new one with the user's code
   */
  readonly openProof: (
    userKey: number,
    place: string,
    newCode: string,
    placesInUse: readonly string[],
  ) => Promise<Proof>
  readonly recordProof: (
    proof: Pick<Proof, 'userKey' | 'place' | 'provenMs'>,
    askedMs: number,
  ) => Promise<void>
  readonly deleteProof: (proof: Pick<Proof, 'userKey' | 'place'>) => Promise<void>
  readonly listProven: (sinceMs: number) => Promise<readonly Proof[]>
  /** Those that have not been asked since, the oldest first. */
  readonly listDue: (askedBeforeMs: number, limit: number) => Promise<readonly Proof[]>

  readonly listDoubts: () => Promise<readonly Doubt[]>
  /** By names and ids, those since the longest time first. */
  readonly describeDoubts: (limit: number) => Promise<
    readonly {
      readonly lender: string
      readonly deviceId: string
      readonly checkId: string
      readonly owner: string
      readonly sinceMs: number
    }[]
  >
  readonly setDoubts: (checkKey: number, doubts: ReadonlyMap<number, number>) => Promise<void>
}
