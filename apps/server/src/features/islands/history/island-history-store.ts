/** An island's state from an event on; `unobserved` if nothing shows whether it is open. */
export type EventKind = 'open' | 'closed' | 'unobserved'

export interface IslandEvent {
  readonly atMs: number
  readonly kind: EventKind
}

export interface FoundState {
  readonly islandKey: number
  readonly kind: EventKind
  /** When the state began. Ignored if an event on record is as late. */
  readonly sinceMs: number
  /** Used instead if nothing is on record yet. */
  readonly firstMs: number
  /** Who may see the island; `users` are all that have signed in. */
  readonly audience: {
    readonly members: boolean
    readonly users: boolean
    readonly everybody: boolean
  }
}

/** Closings reported in 24 hours. By then, followers know that the island flaps. */
export const closingAlertsPerDay = 24

/** An event that somebody may have to be alerted about. */
export interface IslandChange extends IslandEvent {
  readonly sequence: number
  readonly islandKey: number
  readonly islandId: string
  readonly hostKey: number | null
  /** Users with keys up to this one have been alerted. */
  readonly toldUserKey: number
}

/** When islands opened and closed. Deleted with the island. */
export interface IslandHistoryStore {
  /**
   * Records states that differ from the last one on record, and keeps each island's newest `kept` events.
   * Skips islands that are gone.
   */
  readonly record: (
    found: readonly FoundState[],
    at: { readonly nowMs: number; readonly kept: number },
  ) => Promise<void>
  /** The events since a time and the one before them, oldest first. */
  readonly read: (islandKey: number, sinceMs: number) => Promise<readonly IslandEvent[]>
  /**
   * Changes to alert about, oldest first: closings of islands that were open, at most `closingAlertsPerDay`
   * in 24 hours, and changes to other states, which end them. The caller deletes what it has reported.
   */
  readonly readChanges: (limit: number) => Promise<readonly IslandChange[]>
  /**
   * Deletes events before a time, except the last one before it, which says what the island was at that
   * time. Deletes changes of that age too, even unreported ones.
   * @returns how many events it deleted; fewer than `limit` means that none are left
   */
  readonly deleteOld: (untilMs: number, limit: number) => Promise<number>
  /** How many events are stored for a user's islands, and the events themselves, one island at a time. */
  readonly countOf: (userKey: number) => Promise<number>
  readonly readOf: (
    userKey: number,
  ) => AsyncIterable<{ readonly slug: string; readonly events: readonly IslandEvent[] }>
}
