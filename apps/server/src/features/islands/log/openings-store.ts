/** Flips as columns, oldest first. */
export interface FlippedDevices {
  readonly deviceKeys: readonly number[]
  readonly statuses: readonly ('online' | 'offline')[]
  readonly atMs: readonly number[]
}

/** An island whose carrier flipped, or whose agents came or went. */
export interface CarrierFlip {
  readonly islandKey: number
  readonly status: 'online' | 'offline'
  readonly atMs: number
  /** When that state ended; null if it lasts. */
  readonly nextMs: number | null
  /** The last opening or closing in its log. */
  readonly last: Pick<NewOpening, 'kind' | 'atMs'> | null
}

export interface NewOpening {
  readonly id: string
  readonly islandKey: number
  readonly kind: 'opened' | 'closed'
  readonly atMs: number
}

/** Openings and closings in the logs of islands. */
export interface OpeningsStore {
  /**
   * The flips of devices that carry a published island without the relay, in the given order. Leaves out
   * flips during a pause.
   */
  readonly ofCarriers: (flips: FlippedDevices) => Promise<readonly CarrierFlip[]>
  /**
   * The states of published islands that the relay carries, in the order in which they began. Closed
   * islands come only if their log has an opening or closing. Leaves out states that began during a pause.
   */
  readonly ofRelayed: (asked: {
    readonly after: { readonly sinceMs: number; readonly islandKey: number }
    readonly untilMs: number
    readonly limit: number
  }) => Promise<readonly CarrierFlip[]>
  /**
   * Keeps the newest `kept` lines of each log.
   * @returns the islands that still exist and got a line
   */
  readonly insert: (openings: readonly NewOpening[], kept: number) => Promise<readonly number[]>
}
