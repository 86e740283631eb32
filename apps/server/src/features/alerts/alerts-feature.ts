import { setTimeout as wait } from 'node:timers/promises'
import { alertMessageRetentionDays } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { deleteInSteps, inSteps } from '../../steps.ts'
import { alertsRoutes } from './alerts-routes.ts'
import type { Channels } from './channels/channel.ts'
import type { Span } from './outages.ts'
import { ownAlertRulesData, ownAlertsData } from './own-alerts-data.ts'
import { readIslands, type IslandChangeSource } from './read-islands.ts'
import { readFlips, type FlipSource } from './read-flips.ts'
import { DeliverySender } from './send-deliveries.ts'
import {
  operatorAlertsRoutes,
  type OperatorAlertsRoutesOptions,
} from './operator/operator-alerts-routes.ts'
import { sqlOperatorAlertsStore } from './operator/sql-operator-alerts-store.ts'
import { sqlAlertsStore } from './sql-alerts-store.ts'
import { readReports, type ReportSource } from './read-reports.ts'
import { readWarnings, type WarningSource } from './read-warnings.ts'
import { sqlAlertRulesStore } from './sql-alert-rules-store.ts'
import { alertUsers } from './alert-users.ts'
import { subjectAlertsRoutes, type SubjectAlertsRoutesOptions } from './subject-alerts-routes.ts'

const lookMs = 500
/** A heartbeat may have to wait for a whole step. */
const flipsInStep = 250
/** Each follower has rules of their own for up to 200 islands. */
const followersInStep = 100
/**
 * Time limit per run, so that islands that flap or have many followers do not delay alerts about devices.
 */
const islandsForMs = 1000
/**
 * Each turn takes several statements in the step's transaction, which delays the recording of flips on
 * PostgreSQL.
 */
const turnsInStep = 8
/** At shutdown, deliveries in progress get this long. The next start repeats the rest. */
const stopMs = 3000
const keptMs = alertMessageRetentionDays * 86_400_000
const pruneMs = 3_600_000
/**
 * Maintenance that is over still delays alerts for outages that it overlapped: for a grace period and a
 * night of quiet hours at most.
 */
const maintenanceKeptMs = 7 * 86_400_000

interface AlertsFeatureOptions {
  readonly config: Pick<Config, 'publicUrl' | 'onlineWindowMs'>
  readonly flips: FlipSource
  readonly warnings: WarningSource
  readonly islands: IslandChangeSource & SubjectAlertsRoutesOptions['islands']
  readonly reports: ReportSource
  readonly channels: Channels
  /** When no heartbeat could arrive. */
  readonly history: { readonly readUnobserved: () => Promise<readonly Span[]> }
  /** All flips until then are on record; null on a server that does not lead. */
  readonly presence: { readonly recordedUntilMs: () => number | null }
}

type AlertsRoutesParts = Pick<OperatorAlertsRoutesOptions, 'findUserKey'> &
  Pick<SubjectAlertsRoutesOptions, 'serve' | 'findOwnDeviceKey'>

/** Alerts users to changes of their things. docs/alerts.md has the rules. */
export function alertsFeature(
  { storage, cluster, clock, log, schedule, metrics }: FeatureBase,
  { config, flips, presence, history, ...parts }: AlertsFeatureOptions,
) {
  const { writer } = cluster
  /**
   * The leadership term, read before anything else. If another server has led and sent alerts since, writes
   * of this term are refused.
   */
  let term = -1
  const store = sqlAlertsStore(storage.db, {
    leading: () => (writer === undefined ? undefined : { writer, term }),
  })
  const rules = sqlAlertRulesStore(storage.db)
  const operatorAlerts = sqlOperatorAlertsStore(storage.db)
  let isStopping = false
  const sender = new DeliverySender({
    store,
    rules,
    channels: parts.channels,
    reports: parts.reports,
    mayBegin: () => cluster.leads() && !isStopping,
    clock,
    log,
  })

  schedule.every(lookMs, 'alerts were not processed', async (signal) => {
    const nowMs = presence.recordedUntilMs()
    if (nowMs === null || !cluster.leads()) return
    // No leader has the term -1.
    term = cluster.term() ?? -1
    const deps = {
      ...parts,
      store,
      rules,
      flips,
      publicUrl: config.publicUrl,
      windowMs: config.onlineWindowMs,
      readUnobserved: history.readUnobserved,
    }
    // Taken before the changes are read: whatever is recorded meanwhile is read in the next run.
    const islandsRecordedMs = parts.islands.recordedUntilMs()
    for (const read of [readFlips, readWarnings, readReports]) {
      await inSteps(() => read(deps, { nowMs, limit: flipsInStep }), { signal })
      if (signal.aborted) return
    }
    const endMs = performance.now() + islandsForMs
    let hasMoreIslands = true
    const readSomeIslands = async () => {
      hasMoreIslands = await readIslands(deps, { nowMs, limit: followersInStep })
      return hasMoreIslands && performance.now() < endMs
    }
    await inSteps(readSomeIslands, { signal })
    if (signal.aborted) return
    // Any island may be open again in a change that is not yet read.
    const islandsUntilMs = (hasMoreIslands ? null : islandsRecordedMs) ?? Number.NEGATIVE_INFINITY
    const turns = { nowMs, islandsUntilMs, limit: turnsInStep }
    const alertSome = async () => {
      const count = await alertUsers(deps, turns)
      await sender.begin()
      return count === turnsInStep
    }
    await inSteps(alertSome, { signal })
  })
  schedule.everyOnLeader(pruneMs, 'old alerts were kept', async (signal) => {
    await rules.deleteMaintenance(clock() - maintenanceKeptMs)
    const untilMs = clock() - keptMs
    await deleteInSteps((limit) => store.deleteOld(untilMs, limit), { signal })
  })
  schedule.atEnd(async () => {
    isStopping = true
    await Promise.race([sender.settled(), wait(stopMs, undefined, { ref: false })])
  })

  metrics.counter({
    name: 'astropelago_alert_tries_total',
    help: 'Tries to deliver alerts by what became of the delivery: sent, waiting for another try, failed',
    labels: ['state'],
    read: () => Array.from(sender.outcomes, ([state, value]) => ({ labels: { state }, value })),
  })
  metrics.gauge({
    name: 'astropelago_alerts_paused',
    help: '1 while an operator has no alerts sent',
    read: async () => ((await operatorAlerts.pausedMs()) === null ? 0 : 1),
  })
  metrics.gauge({
    name: 'astropelago_alerts_waiting',
    help: 'Alerts on their way to channels, those that wait for another try too',
    read: async () => (await store.waiting()).count,
  })
  metrics.gauge({
    name: 'astropelago_alerts_oldest_seconds',
    help: 'Age of the oldest of them',
    read: async () => {
      const { sinceMs } = await store.waiting()
      return sinceMs === null ? 0 : Math.max(0, clock() - sinceMs) / 1000
    },
  })

  return {
    ownData: [ownAlertsData(store), ownAlertRulesData(rules, parts.islands)],
    /** Keys of islands that a user follows, including those the user may no longer know of. */
    listFollowed: async (userKey: number) => {
      const differing = await rules.listDiffering(userKey)
      return differing
        .filter(({ of, rules: { isOn } }) => of === 'island' && isOn === true)
        .map(({ key }) => key)
    },
    routes: async (
      app: FastifyInstance,
      { serve, findUserKey, findOwnDeviceKey }: AlertsRoutesParts,
    ) => {
      const { channels, islands } = parts
      await alertsRoutes(app, { serve, store, rules, channels, islands, clock })
      await subjectAlertsRoutes(app, { serve, rules, channels, islands, clock, findOwnDeviceKey })
      await operatorAlertsRoutes(app, { serve, store, operatorAlerts, clock, findUserKey })
    },
  }
}
