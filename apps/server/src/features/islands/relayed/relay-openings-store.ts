import type { RelayOpening } from '../islands-store.ts'

export interface RelayOpeningOf extends RelayOpening {
  readonly islandKey: number
}

/** Which islands agents carry, and since when. Only the leading server writes it. */
export interface RelayOpeningsStore {
  /**
   * An unchanged state keeps its time, and the time of a new state is always later than the last.
   * @returns what is now on record for those of the islands that still use the relay
   */
  readonly note: (openings: readonly RelayOpeningOf[]) => Promise<readonly RelayOpeningOf[]>
}
