/** Something that users can report and operators can hide, as its feature sees it. */
export interface Reportable {
  readonly find: (userKey: number, id: string) => Promise<ReportableSubject | undefined>
  readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, ReportableSubject>>
  /** At once and on every server; null shows it again. @returns false if it is gone */
  readonly setHidden: (id: string, hidden: Hidden | null) => Promise<boolean>
}

export interface ReportableSubject {
  readonly name: string
  readonly link: string | null
  readonly author: string
  readonly isPublic: boolean
  readonly hidden: Hidden | null
}

interface Hidden {
  readonly atMs: number
  readonly reason: string
}
