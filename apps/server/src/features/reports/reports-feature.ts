import { settledReportRetentionDays } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../feature-base.ts'
import type { Serve } from '../../http/serve-route.ts'
import { deleteInSteps } from '../../steps.ts'
import { ownReportsData } from './own-reports-data.ts'
import { reportsRoutes } from './reports-routes.ts'
import type { Reportables } from './send-report.ts'
import { sqlReportsStore } from './sql-reports-store.ts'

const settledKeptMs = settledReportRetentionDays * 86_400_000
const pruneMs = 3_600_000

interface ReportsFeatureOptions {
  readonly devices: { readonly reportable: Reportables['device'] }
  readonly islands: {
    readonly reportable: Reportables['island']
    readonly reportableLogEntry: Reportables['log-entry']
  }
  /** To be called when something was reported, or settled, here or on another server. */
  readonly streams: { readonly noteReports: () => void }
}

/** Users' reports to the operator, and what becomes of them. */
export function reportsFeature(
  { storage, changes, clock, schedule }: FeatureBase,
  { devices, islands, streams: { noteReports } }: ReportsFeatureOptions,
) {
  const reportables = {
    device: devices.reportable,
    island: islands.reportable,
    'log-entry': islands.reportableLogEntry,
  }
  const store = sqlReportsStore(storage)
  changes.subscribe('reports', noteReports)

  schedule.everyOnLeader(pruneMs, 'old reports were kept', async (signal) => {
    const untilMs = clock() - settledKeptMs
    await deleteInSteps((limit) => store.deleteSettled(untilMs, limit), { signal })
  })

  return {
    ownData: ownReportsData(store),
    /** For alerts to operators about reports. */
    forAlerts: { readNew: store.readNew, countOpen: store.countOpen },
    figures: async () => [
      { name: 'reports.open', label: 'Open reports', value: await store.countOpenCases() },
    ],
    routes: (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      reportsRoutes(app, { serve, store, clock, reportables }),
  }
}
