import type { RelayOpening } from '../islands-store.ts'

export interface RelayOpeningOf extends RelayOpening {
  readonly islandKey: number
}

/** Which islands agents carry, and since when; of all servers the one that leads writes it. */
export interface RelayOpeningsStore {
  /**
   * An island that is so already keeps its time, and another time is always later than the one before.
   * @returns what stands there by now, of those islands that are still for the relay
   */
  readonly note: (openings: readonly RelayOpeningOf[]) => Promise<readonly RelayOpeningOf[]>
}
