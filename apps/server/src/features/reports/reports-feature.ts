import { dayMs } from '../../history/time-spans.ts'
import { cutPage } from '../../page-position.ts'
import { randomUUID } from 'node:crypto'
import { reportsPerDay, settledReportRetentionDays } from '@astropelago/contract/limits'
import {
  dismissReports,
  hideSubject,
  listReports,
  sendReport,
  showSubject,
  type ReportCase,
  type ReportKind,
} from '@astropelago/contract/reports'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { refuseDemo } from '../../http/refuse-demo.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import { counted, ownList } from '../../own-data.ts'
import type { Reportable, ReportableSubject } from '../../reportable.ts'
import { deleteInSteps } from '../../steps.ts'
import type { ReportCaseRecord, ReportsStore, Subject } from './reports-store.ts'
import { sqlReportsStore } from './sql-reports-store.ts'

/** More than an operator can read. People don't send as many. */
const openReportsMax = 10_000
const settledRetentionMs = settledReportRetentionDays * dayMs
const pruneMs = 3_600_000

interface ReportsFeatureOptions {
  readonly devices: { readonly reportable: Reportable }
  readonly islands: { readonly reportable: Reportable; readonly reportableLogEntry: Reportable }
  readonly checks: { readonly reportable: Reportable }
  readonly rooms: { readonly reportable: Reportable }
  /** Receives each report that is sent or settled, here or on another server. */
  readonly streams: { readonly sendReports: () => void }
}

export function reportsFeature(
  { storage, changes, clock, schedule }: FeatureBase,
  { devices, islands, checks, rooms, streams: { sendReports } }: ReportsFeatureOptions,
) {
  const reportables = {
    device: devices.reportable,
    island: islands.reportable,
    check: checks.reportable,
    'log-entry': islands.reportableLogEntry,
    'room-message': rooms.reportable,
  }
  const store = sqlReportsStore(storage)
  changes.subscribe('reports', sendReports)

  schedule.everyOnLeader(pruneMs, 'old reports were not deleted', async (signal) => {
    const untilMs = clock() - settledRetentionMs
    await deleteInSteps((limit) => store.deleteSettled(untilMs, limit), { signal })
  })

  return {
    /** Reports that a user sent. They outlive the account, without its name, until they are settled. */
    ownData: ownList({
      kind: 'reports',
      text: (count) =>
        `${counted(count, 'report', 'reports')}, kept without your name until settled`,
      list: async (userKey) => {
        const sent = await store.listOf(userKey)
        return sent.map(({ subject: { kind, id }, reason, text, createdMs, outcome }) => ({
          kind,
          id,
          reason,
          text,
          sentAt: isoTime(createdMs),
          outcome,
        }))
      },
    }),
    forAlerts: { readNew: store.readNew, countOpen: store.countOpen },
    figures: async () => [
      { name: 'reports.open', label: 'Open reports', value: await store.countOpenCases() },
    ],
    routes: (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      reportsRoutes(app, { serve, store, clock, reportables }),
  }
}

async function reportsRoutes(
  app: FastifyInstance,
  {
    serve,
    store,
    clock,
    reportables,
  }: {
    readonly serve: Serve
    readonly store: ReportsStore
    readonly clock: Clock
    readonly reportables: Readonly<Record<ReportKind, Reportable>>
  },
) {
  serve(
    app,
    sendReport,
    async ({ user: { userKey }, body: { kind, id, reason, text }, request }) => {
      const found = await reportables[kind].find(userKey, id)
      if (found === undefined) throw new DomainError('not_found')
      const { name, link, author } = found
      const nowMs = clock()
      const outcome = await store.insert(
        {
          id: randomUUID(),
          subject: { kind, id },
          reporterKey: userKey,
          reason,
          text,
          seen: { name, link, author },
          createdMs: nowMs,
        },
        { perReporter: reportsPerDay, sinceMs: nowMs - dayMs, open: openReportsMax },
      )
      if (outcome === 'already_open') throw new DomainError('already_reported')
      if (outcome === 'limit_reached') throw new DomainError('report_limit')
      request.log.info({ event: 'reported', subject: `${kind}:${id}`, reason }, 'subject reported')
      return { status: 204 }
    },
    // A demo account takes a moment to make, so anybody could fill the operator's list with reports.
    { refuseCaller: refuseDemo },
  )

  serve(app, listReports, async ({ query: { state, after, limit } }) => {
    const found = await store.listCases({ state, after, limit: limit + 1 })
    const { shown, last } = cutPage(found, limit)
    const [subjects, openCount] = await Promise.all([readSubjects(shown), store.countOpenCases()])
    const cases = shown.map((one) => presentCase(one, subjects.get(subjectName(one.subject))))
    return { status: 200, body: { cases, openCount, hasMore: last !== undefined } }
  })

  serve(
    app,
    dismissReports,
    async ({ params }) => {
      const settled = await store.settle(params, 'dismissed', clock())
      if (settled === 0) throw new DomainError('not_found')
      return { status: 204 }
    },
    { audit: ({ params }) => ({ action: 'reports.dismissed', subject: subjectName(params) }) },
  )

  serve(
    app,
    hideSubject,
    async ({ params, body: { reason } }) => {
      const atMs = clock()
      // Hidden first: after a crash the case stays open and is settled again.
      await setHidden(params, { atMs, reason })
      await store.settle(params, 'hidden', atMs)
      return { status: 204 }
    },
    {
      audit: ({ params, body: { reason } }) => ({
        action: `${params.kind}.hidden`,
        subject: subjectName(params),
        details: { reason },
      }),
    },
  )

  serve(
    app,
    showSubject,
    async ({ params }) => {
      await setHidden(params, null)
      return { status: 204 }
    },
    {
      audit: ({ params }) => ({ action: `${params.kind}.shown`, subject: subjectName(params) }),
    },
  )

  async function setHidden({ kind, id }: Subject, hidden: ReportableSubject['hidden']) {
    if (!(await reportables[kind].setHidden(id, hidden))) throw new DomainError('not_found')
  }

  async function readSubjects(cases: readonly ReportCaseRecord[]) {
    const byKind = Map.groupBy(cases, ({ subject }) => subject.kind)
    const read = Array.from(byKind, async ([kind, ofKind]) => {
      const ids = new Set(ofKind.map(({ subject }) => subject.id))
      const found = await reportables[kind].read([...ids])
      return Array.from(found, ([id, subject]) => [subjectName({ kind, id }), subject] as const)
    })
    return new Map((await Promise.all(read)).flat())
  }
}

function subjectName({ kind, id }: Subject): string {
  return `${kind}:${id}`
}

function presentCase(
  { id, subject, seen, count, reports, settled }: ReportCaseRecord,
  current: ReportableSubject | undefined,
): ReportCase {
  return {
    id,
    subject: { kind: subject.kind, id: subject.id },
    thing: current === undefined ? null : presentSubject(current),
    reportedAs: { name: seen.name, link: seen.link, author: seen.author },
    count,
    reports: reports.map(({ reason, text, reporter, createdMs }) => ({
      reason,
      text,
      reporter,
      at: isoTime(createdMs),
    })),
    settled: settled && { outcome: settled.outcome, at: isoTime(settled.atMs) },
  }
}

function presentSubject({ name, link, author, isPublic, hidden }: ReportableSubject) {
  const hiddenNow = hidden && { at: isoTime(hidden.atMs), reason: hidden.reason }
  return { name, link, author, isPublic, hidden: hiddenNow }
}
