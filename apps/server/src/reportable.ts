/**
 * Something that users can report and operators can hide, as its feature sees it. `app.ts` hands it to the
 * reports.
 */
export interface Reportable {
  /** Finds a thing that this user may know about and does not own. */
  readonly find: (userKey: number, id: string) => Promise<ReportableSubject | undefined>
  /** Reads things by id, whoever owns them, as they are now. Missing ones are left out. */
  readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, ReportableSubject>>
  /**
   * Hides a thing from everybody but its author, at once and on every server; with null it shows it again.
   * @returns false if it is gone
   */
  readonly setHidden: (id: string, hidden: Hidden | null) => Promise<boolean>
}

export interface ReportableSubject {
  readonly name: string
  readonly link: string | null
  /** The username of its author. */
  readonly author: string
  /** Whether everybody would see it if it were not hidden. */
  readonly isPublic: boolean
  readonly hidden: Hidden | null
}

interface Hidden {
  readonly atMs: number
  /** What its author reads. */
  readonly reason: string
}
