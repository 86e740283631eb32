import type { ReportKind, ReportReason } from '@astropelago/contract/reports'

/** A thing by its kind and the id by which people know it. */
export interface Subject {
  readonly kind: ReportKind
  readonly id: string
}

export type ReportOutcome = 'hidden' | 'dismissed'

export interface NewReportRecord {
  readonly id: string
  readonly subject: Subject
  readonly reporterKey: number
  readonly reason: ReportReason
  readonly text: string
  /** What the thing was when it was reported. */
  readonly seen: SeenThing
  readonly createdMs: number
}

export interface SeenThing {
  readonly name: string
  readonly link: string | null
  readonly author: string
}

export interface ReportRecord {
  readonly subject: Subject
  readonly reason: ReportReason
  readonly text: string
  /** The username; null once that user is gone. */
  readonly reporter: string | null
  readonly createdMs: number
  readonly outcome: ReportOutcome | null
}

/** All reports of one thing that are open, or that were settled at once. */
export interface ReportCaseRecord {
  /** Of the newest report. */
  readonly id: string
  readonly subject: Subject
  /** As the newest report has it. */
  readonly seen: SeenThing
  readonly count: number
  /** The newest of them, last first. */
  readonly reports: readonly ReportRecord[]
  readonly settled: { readonly outcome: ReportOutcome; readonly atMs: number } | null
}

export interface ReportLimits {
  /** How many one reporter may send in the time since `sinceMs`. */
  readonly perReporter: number
  readonly sinceMs: number
  /** How many may be open in total. */
  readonly open: number
}

interface CasesAsked {
  readonly state: 'open' | 'settled'
  readonly limit: number
  /** The id of the last case that is known; one that is gone ends the list. */
  readonly after?: string | undefined
}

/** What users reported to the operator. */
export interface ReportsStore {
  /**
   * Limits hold under simultaneous calls.
   * @throws TotalReached when as many are open as may be
   */
  readonly insert: (
    report: NewReportRecord,
    limits: ReportLimits,
  ) => Promise<'inserted' | 'already_open' | 'limit_reached'>
  /** Those with the newest report first; of settled ones the last to be settled. */
  readonly listCases: (asked: CasesAsked) => Promise<readonly ReportCaseRecord[]>
  /** How many things have an open report. */
  readonly countOpenCases: () => Promise<number>
  /** Reports by the order in which they came in, after one by its place in it. */
  readonly readNew: (
    after: number,
    limit: number,
  ) => Promise<readonly { readonly position: number; readonly atMs: number }[]>
  /** Of those that are open how many came since, and of how many things of each kind; and of how many things all are. */
  readonly countOpen: (sinceMs: number) => Promise<{
    readonly newCount: number
    readonly newThings: readonly { readonly kind: ReportKind; readonly count: number }[]
    readonly thingCount: number
  }>
  /** Settles all open reports of a thing; returns how many. */
  readonly settle: (subject: Subject, outcome: ReportOutcome, atMs: number) => Promise<number>
  /** Oldest first. */
  readonly listOf: (reporterKey: number) => Promise<readonly ReportRecord[]>
  /** Deletes up to `limit` that were settled by then; returns how many. */
  readonly deleteSettled: (untilMs: number, limit: number) => Promise<number>
}
