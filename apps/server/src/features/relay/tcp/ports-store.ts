/** A port that an island has now. */
export interface HeldPort {
  readonly islandKey: number
  readonly port: number
}

/** The ports that may be given out, the first and the last one included. */
export interface PortRange {
  readonly first: number
  readonly last: number
}

export interface PortWish {
  readonly userKey: number
  /** The public id of an island of that user. */
  readonly islandId: string
  readonly range: PortRange
  readonly atMs: number
  /** What was given back after that goes to nobody but the island that had it. */
  readonly freedUntilMs: number
}

/** Which island has which port. An island has one at most, and a port belongs to one island. */
export interface PortsStore {
  /**
   * The port of an island: the one that it has or had, else one that was never given out, else the one that
   * is free for longest. Holds under simultaneous calls.
   */
  readonly take: (wish: PortWish) => Promise<HeldPort | 'no-island' | 'not-relayed' | 'none-free'>
  /** @returns the island's key, undefined where the user has none of that id; and whether it had a port */
  readonly giveBack: (
    userKey: number,
    islandId: string,
    atMs: number,
  ) => Promise<{ readonly islandKey: number; readonly hadPort: boolean } | undefined>
  /** Frees those of islands that are gone, or are reached otherwise than through the relay. */
  readonly freeUnused: (atMs: number) => Promise<void>
  readonly list: () => Promise<readonly HeldPort[]>
  readonly find: (islandKey: number) => Promise<number | undefined>
}
