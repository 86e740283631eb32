import { settledReportRetentionDays } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../feature-base.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import { counted, ownList } from '../../own-data.ts'
import type { Reportable } from '../../reportable.ts'
import { deleteInSteps } from '../../steps.ts'
import { reportsRoutes } from './reports-routes.ts'
import { sqlReportsStore } from './sql-reports-store.ts'

const settledRetentionMs = settledReportRetentionDays * 86_400_000
const pruneMs = 3_600_000

interface ReportsFeatureOptions {
  readonly devices: { readonly reportable: Reportable }
  readonly islands: { readonly reportable: Reportable; readonly reportableLogEntry: Reportable }
  /** Receives each report that is sent or settled, here or on another server. */
  readonly streams: { readonly sendReports: () => void }
}

export function reportsFeature(
  { storage, changes, clock, schedule }: FeatureBase,
  { devices, islands, streams: { sendReports } }: ReportsFeatureOptions,
) {
  const reportables = {
    device: devices.reportable,
    island: islands.reportable,
    'log-entry': islands.reportableLogEntry,
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
