import type { ReportKind, ReportReason } from '@astropelago/contract/reports'

export interface Subject {
  readonly kind: ReportKind
  readonly id: string
}

type ReportOutcome = 'hidden' | 'dismissed'

interface Report {
  readonly subject: Subject
  readonly reason: ReportReason
  readonly text: string
  readonly createdMs: number
}

export interface NewReportRecord extends Report {
  readonly id: string
  readonly reporterKey: number
  readonly seen: { readonly name: string; readonly link: string | null; readonly author: string }
}

export interface ReportRecord extends Report {
  readonly reporter: string | null
  readonly outcome: ReportOutcome | null
}

export interface ReportCaseRecord extends Pick<NewReportRecord, 'id' | 'subject' | 'seen'> {
  readonly count: number
  /** The newest reports, latest first. The first one gives `id` and `seen`. */
  readonly reports: readonly ReportRecord[]
  readonly settled: { readonly outcome: ReportOutcome; readonly atMs: number } | null
}

export interface ReportLimits {
  readonly perReporter: number
  readonly sinceMs: number
  readonly open: number
}

export interface ReportsStore {
  /** @throws TotalReached if `open` reports are open, even under simultaneous calls */
  readonly insert: (
    report: NewReportRecord,
    limits: ReportLimits,
  ) => Promise<'inserted' | 'already_open' | 'limit_reached'>
  /** Cases by their newest report, latest first. Settled cases by the time of settling, latest first. */
  readonly listCases: (asked: {
    readonly state: 'open' | 'settled'
    readonly limit: number
    /** ID of the last case of the previous page. If it is gone, the list is empty. */
    readonly after?: string | undefined
  }) => Promise<readonly ReportCaseRecord[]>
  readonly countOpenCases: () => Promise<number>
  readonly readNew: (
    after: number,
    limit: number,
  ) => Promise<readonly { readonly position: number; readonly atMs: number }[]>
  /** Open reports since a time, their subjects by kind, and all subjects with an open report. */
  readonly countOpen: (sinceMs: number) => Promise<{
    readonly newCount: number
    readonly newSubjects: readonly { readonly kind: ReportKind; readonly count: number }[]
    readonly subjectCount: number
  }>
  readonly settle: (subject: Subject, outcome: ReportOutcome, atMs: number) => Promise<number>
  /** Oldest first. */
  readonly listOf: (reporterKey: number) => Promise<readonly ReportRecord[]>
  readonly deleteSettled: (untilMs: number, limit: number) => Promise<number>
}
