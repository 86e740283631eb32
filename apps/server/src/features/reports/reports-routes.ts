import {
  dismissReports,
  hideSubject,
  listReports,
  sendReport as sendReportRoute,
  showSubject,
} from '@astropelago/contract/reports'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import { presentCase } from './present-report.ts'
import type { ReportCaseRecord, ReportsStore, Subject } from './reports-store.ts'
import { sendReport, type Reportables } from './send-report.ts'

interface ReportsRoutesOptions {
  readonly serve: Serve
  readonly store: ReportsStore
  readonly clock: Clock
  readonly reportables: Reportables
}

export async function reportsRoutes(app: FastifyInstance, options: ReportsRoutesOptions) {
  const { serve, store, clock, reportables } = options

  serve(
    app,
    sendReportRoute,
    async ({ user, body, request }) => {
      await sendReport({ store, clock, reportables }, user.userKey, body)
      const { kind, id, reason } = body
      request.log.info({ event: 'reported', subject: `${kind}:${id}`, reason }, 'thing reported')
      return { status: 204 }
    },
    {
      // A demo account takes a moment to make, so anybody could fill the operator's list with reports.
      refuseCaller: ({ user }) => {
        if (user.isDemo) throw new DomainError('demo_account')
      },
    },
  )

  serve(app, listReports, async ({ query: { state, after, limit } }) => {
    // Reads one more than is shown, to know whether there are more.
    const found = await store.listCases({ state, after, limit: limit + 1 })
    const shown = found.slice(0, limit)
    const [things, openCount] = await Promise.all([readThings(shown), store.countOpenCases()])
    const cases = shown.map((one) => presentCase(one, things.get(subjectName(one.subject))))
    return { status: 200, body: { cases, openCount, hasMore: found.length > limit } }
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

  async function setHidden(
    { kind, id }: Subject,
    hidden: { readonly atMs: number; readonly reason: string } | null,
  ): Promise<void> {
    if (!(await reportables[kind].setHidden(id, hidden))) throw new DomainError('not_found')
  }

  /** Reported things in their current state, by subject name. */
  async function readThings(cases: readonly ReportCaseRecord[]) {
    const idsByKind = Map.groupBy(
      cases.map(({ subject }) => subject),
      ({ kind }) => kind,
    )
    const read = Array.from(idsByKind, async ([kind, subjects]) => {
      const found = await reportables[kind].read([...new Set(subjects.map(({ id }) => id))])
      return Array.from(found, ([id, thing]) => [subjectName({ kind, id }), thing] as const)
    })
    return new Map((await Promise.all(read)).flat())
  }
}

/** As in the audit log. */
function subjectName({ kind, id }: Subject): string {
  return `${kind}:${id}`
}
