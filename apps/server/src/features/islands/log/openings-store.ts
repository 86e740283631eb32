/** Flips as columns, the first ones first. */
export interface FlippedDevices {
  readonly deviceKeys: readonly number[]
  readonly statuses: readonly ('online' | 'offline')[]
  readonly atMs: readonly number[]
}

/** An island whose carrier flipped, or to which agents came or from which they went. */
export interface CarrierFlip {
  readonly islandKey: number
  readonly status: 'online' | 'offline'
  readonly atMs: number
  /** When that ended; null where it has not. */
  readonly nextMs: number | null
  /** What its log tells last of its opening and closing. */
  readonly last: { readonly kind: 'opened' | 'closed'; readonly atMs: number } | null
}

export interface NewOpening {
  readonly id: string
  readonly islandKey: number
  readonly kind: 'opened' | 'closed'
  readonly atMs: number
}

/** What the logs of islands tell of their opening and closing. */
export interface OpeningsStore {
  /**
   * Of these flips those of devices that carry a published island without the relay, in their order; none that
   * came while it was paused.
   */
  readonly ofCarriers: (flips: FlippedDevices) => Promise<readonly CarrierFlip[]>
  /**
   * How published islands are that the relay carries, by the time since when they are so; closed ones only where
   * the log tells something of before, and none that became so while they were paused.
   */
  readonly ofRelayed: (asked: {
    readonly after: { readonly sinceMs: number; readonly islandKey: number }
    readonly untilMs: number
    readonly limit: number
  }) => Promise<readonly CarrierFlip[]>
  /**
   * Of each log so many lines are kept, the newest ones.
   * @returns the islands that are still there, and have one more line
   */
  readonly insert: (openings: readonly NewOpening[], kept: number) => Promise<readonly number[]>
}
