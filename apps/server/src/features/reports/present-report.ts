import type { ReportCase } from '@astropelago/contract/reports'
import type { ReportableSubject } from '../../reportable.ts'
import type { ReportCaseRecord } from './reports-store.ts'

/** A case for operators: what was reported, and what became of it. */
export function presentCase(
  { id, subject, seen, count, reports, settled }: ReportCaseRecord,
  thing: ReportableSubject | undefined,
): ReportCase {
  return {
    id,
    subject: { kind: subject.kind, id: subject.id },
    thing: thing === undefined ? null : presentThing(thing),
    reportedAs: { name: seen.name, link: seen.link, author: seen.author },
    count,
    reports: reports.map(({ reason, text, reporter, createdMs }) => ({
      reason,
      text,
      reporter,
      at: new Date(createdMs).toISOString(),
    })),
    settled: settled && { outcome: settled.outcome, at: new Date(settled.atMs).toISOString() },
  }
}

function presentThing({ name, link, author, isPublic, hidden }: ReportableSubject) {
  return {
    name,
    link,
    author,
    isPublic,
    hidden: hidden && { at: new Date(hidden.atMs).toISOString(), reason: hidden.reason },
  }
}
