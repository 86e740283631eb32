import { randomUUID } from 'node:crypto'
import { reportsPerDay } from '@astropelago/contract/limits'
import type { NewReport, ReportKind } from '@astropelago/contract/reports'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { Reportable } from '../../reportable.ts'
import type { ReportsStore } from './reports-store.ts'

const dayMs = 86_400_000
/** More than an operator can read. So many do not come from people. */
const openReportsMax = 10_000

/** Everything that can be reported, by kind. */
export type Reportables = Readonly<Record<ReportKind, Reportable>>

interface SendReportDeps {
  readonly store: Pick<ReportsStore, 'insert'>
  readonly clock: Clock
  readonly reportables: Reportables
}

/**
 * Reports a thing that the reporter may know of.
 * @throws DomainError `not_found`, `already_reported`, `report_limit`
 */
export async function sendReport(
  { store, clock, reportables }: SendReportDeps,
  reporterKey: number,
  { kind, id, reason, text }: NewReport,
): Promise<void> {
  const thing = await reportables[kind].find(reporterKey, id)
  if (thing === undefined) throw new DomainError('not_found')
  const nowMs = clock()
  const { name, link, author } = thing
  const outcome = await store.insert(
    {
      id: randomUUID(),
      subject: { kind, id },
      reporterKey,
      reason,
      text,
      seen: { name, link, author },
      createdMs: nowMs,
    },
    { perReporter: reportsPerDay, sinceMs: nowMs - dayMs, open: openReportsMax },
  )
  if (outcome === 'already_open') throw new DomainError('already_reported')
  if (outcome === 'limit_reached') throw new DomainError('report_limit')
}
