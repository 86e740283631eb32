/** What an island is from then on; `unobserved` where it has nothing to be seen by. */
export type EventKind = 'open' | 'closed' | 'unobserved'

export interface IslandEvent {
  readonly atMs: number
  readonly kind: EventKind
}

/** Who may know of an island. */
export interface Audience {
  readonly members: boolean
  /** Whoever is signed in. */
  readonly users: boolean
  readonly everybody: boolean
}

/** What an island was found to be. */
export interface FoundState {
  readonly islandKey: number
  readonly kind: EventKind
  /** Since when, unless something on record is as late. */
  readonly sinceMs: number
  /** The same, where nothing is on record yet. */
  readonly firstMs: number
  readonly audience: Audience
}

/** So often in 24 hours it is told that an island closed: of one that flaps its followers know by then. */
export const closingsToldPerDay = 24

/** An event that somebody may be to be told of. */
export interface IslandChange extends IslandEvent {
  readonly sequence: number
  readonly islandKey: number
  readonly islandId: string
  /** Null where it belongs to the installation. */
  readonly hostKey: number | null
  /** Whoever has this key, or one before it, has been told. */
  readonly toldUserKey: number
}

/** When islands opened and closed. It goes with its island. */
export interface IslandHistoryStore {
  /**
   * Writes what is another than the last on record, and of each island's events keeps `kept`, the newest ones.
   * Islands that are gone are passed over.
   */
  readonly note: (
    found: readonly FoundState[],
    at: { readonly nowMs: number; readonly kept: number },
  ) => Promise<void>
  /** The events since a time and the one before them, oldest first. */
  readonly read: (islandKey: number, sinceMs: number) => Promise<readonly IslandEvent[]>
  /**
   * What is to be told, the first first: that an island closed which was open, `closingsToldPerDay` times in 24
   * hours at most, and whatever else ended that it was closed. Who tells it deletes it.
   */
  readonly readChanges: (limit: number) => Promise<readonly IslandChange[]>
  /**
   * Deletes events before a time, but for the last one before it: that is what the island was then. What
   * nobody has told by then goes too.
   * @returns how many it was this time: with fewer than `limit` there are no more
   */
  readonly deleteOld: (untilMs: number, limit: number) => Promise<number>
  /** How many events are kept of a user's islands, and those: an island at a time. */
  readonly countOf: (userKey: number) => Promise<number>
  readonly readOf: (
    userKey: number,
  ) => AsyncIterable<{ readonly slug: string; readonly events: readonly IslandEvent[] }>
}
