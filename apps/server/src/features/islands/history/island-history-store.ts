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
  /** `users` are all that have signed in. */
  readonly audience: Readonly<Record<'members' | 'users' | 'everybody', boolean>>
}

/** Closings reported in 24 hours. By then, followers know that the island flaps. */
export const closingAlertsPerDay = 24

export interface IslandChange extends IslandEvent {
  readonly sequence: number
  readonly islandKey: number
  readonly islandId: string
  readonly hostKey: number | null
  /** Users with keys up to this one have been alerted. */
  readonly alertedUserKey: number
}

export interface IslandHistoryStore {
  /** Records states that differ from the last one on record. Keeps the newest `maxEvents` of each island. */
  readonly record: (
    found: readonly FoundState[],
    at: { readonly nowMs: number; readonly maxEvents: number },
  ) => Promise<void>
  /** Events since a time and the one before them, oldest first. */
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
  readonly countOf: (userKey: number) => Promise<number>
  readonly readOf: (
    userKey: number,
  ) => AsyncIterable<{ readonly slug: string; readonly events: readonly IslandEvent[] }>
}
