export interface HeldPort {
  readonly islandKey: number
  readonly port: number
}

/** The ports that may be given out, both ends included. */
export interface PortRange {
  readonly first: number
  readonly last: number
}

export interface PortWish {
  readonly userKey: number
  /** The public id of an island that the user hosts. */
  readonly islandId: string
  readonly range: PortRange
  readonly atMs: number
  /** A port given back after this time goes only to the island that had it. */
  readonly freedUntilMs: number
}

/** Which island has which port. An island has at most one, and a port belongs to one island. */
export interface PortsStore {
  /**
   * Gives an island a port: the one that it has or had, else one that was never given out, else the one
   * that has been free longest. Safe under concurrent calls.
   */
  readonly take: (wish: PortWish) => Promise<HeldPort | 'no-island' | 'not-relayed' | 'none-free'>
  /**
   * @returns the island's key and whether it had a port; undefined if the user hosts no island of that id
   */
  readonly giveBack: (
    userKey: number,
    islandId: string,
    atMs: number,
  ) => Promise<{ readonly islandKey: number; readonly hadPort: boolean } | undefined>
  /** Frees the ports of islands that were deleted or are no longer relayed. */
  readonly freeUnused: (atMs: number) => Promise<void>
  readonly list: () => Promise<readonly HeldPort[]>
  readonly find: (islandKey: number) => Promise<number | undefined>
}
