export interface HeldPort {
  readonly islandKey: number
  readonly port: number
}

export interface PortRange {
  readonly first: number
  readonly last: number
}

export interface PortWish {
  readonly userKey: number
  readonly islandId: string
  readonly range: PortRange
  readonly atMs: number
  /** A port given back after this time goes only to the island that had it. */
  readonly freedUntilMs: number
}

export interface PortsStore {
  /** The port it has or had, else one never given out, else the one free longest. Safe under concurrency. */
  readonly take: (wish: PortWish) => Promise<HeldPort | 'no-island' | 'not-relayed' | 'none-free'>
  /** Undefined if the user hosts no island of that id. */
  readonly giveBack: (
    userKey: number,
    islandId: string,
    atMs: number,
  ) => Promise<{ readonly islandKey: number; readonly hadPort: boolean } | undefined>
  readonly freeUnused: (atMs: number) => Promise<void>
  readonly list: () => Promise<readonly HeldPort[]>
  readonly find: (islandKey: number) => Promise<number | undefined>
}
