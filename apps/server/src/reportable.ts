/** What can be reported and hidden, as its feature knows it: `app.ts` hands it to the reports. */
export interface Reportable {
  /** A thing that this user may know of, unless it is the user's own. */
  readonly find: (userKey: number, id: string) => Promise<ReportableThing | undefined>
  /** Whoever's these are, as they are now, by id; without those that are gone. */
  readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, ReportableThing>>
  /**
   * Hides a thing from everybody but its author, at once and on every server, or with null shows it
   * again. False where it is gone.
   */
  readonly setHidden: (id: string, hidden: Hidden | null) => Promise<boolean>
}

export interface ReportableThing {
  readonly name: string
  readonly link: string | null
  /** The username of whoever made it. */
  readonly author: string
  /** Whether everybody would see it, were it not hidden. */
  readonly isPublic: boolean
  readonly hidden: Hidden | null
}

interface Hidden {
  readonly atMs: number
  /** What its author reads. */
  readonly reason: string
}
