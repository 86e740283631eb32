import { setTimeout as wait } from 'node:timers/promises'
import { alertMessagesKeptDays } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { alertsRoutes } from './alerts-routes.ts'
import type { Channels } from './channels/channel.ts'
import type { Span } from './outages.ts'
import { ownAlertRulesData, ownAlertsData } from './own-alerts-data.ts'
import { readIslands, type IslandsToTell } from './read-islands.ts'
import { readFlips, type FlipsToTell } from './read-flips.ts'
import { DeliverySender } from './send-deliveries.ts'
import {
  operatorAlertsRoutes,
  type OperatorAlertsRoutesOptions,
} from './operator/operator-alerts-routes.ts'
import { sqlOperatorAlertsStore } from './operator/sql-operator-alerts-store.ts'
import { sqlAlertsStore } from './sql-alerts-store.ts'
import { readReports, type ReportsToTell } from './read-reports.ts'
import { readWarnings, type WarningsToTell } from './read-warnings.ts'
import { sqlAlertRulesStore } from './sql-alert-rules-store.ts'
import { tellUsers } from './tell-users.ts'
import { thingAlertsRoutes, type ThingAlertsRoutesOptions } from './thing-alerts-routes.ts'

const lookMs = 500
/** As many in one step as a heartbeat may wait for. */
const flipsInStep = 250
/** Each has up to 200 islands with rules of their own. */
const followersInStep = 100
/** So long in one look: islands that flap, or have many followers, hold up nothing that is told of devices. */
const islandsForMs = 1000
/** They run several statements each in one transaction, which holds up the recording of flips on PostgreSQL. */
const turnsInStep = 8
const restMs = 10
/** At the end of the server what is being sent has so long; the next start sends it again. */
const stopMs = 3000
const keptMs = alertMessagesKeptDays * 86_400_000
const pruneMs = 3_600_000
const pruneSize = 250
/** After its end it counts for what it began, as long as a grace lasts and a night of quiet hours. */
const maintenanceKeptMs = 7 * 86_400_000

interface AlertsFeatureOptions {
  readonly config: Pick<Config, 'publicUrl' | 'onlineWindowMs'>
  readonly flips: FlipsToTell
  readonly warnings: WarningsToTell
  readonly islands: IslandsToTell & ThingAlertsRoutesOptions['islands']
  readonly reports: ReportsToTell
  readonly channels: Channels
  /** When no heartbeat could arrive. */
  readonly history: { readonly readUnobserved: () => Promise<readonly Span[]> }
  /** All flips until then are on record; null on a server that does not lead. */
  readonly presence: { readonly recordedUntilMs: () => number | null }
}

type AlertsRoutesParts = Pick<OperatorAlertsRoutesOptions, 'findUserKey'> &
  Pick<ThingAlertsRoutesOptions, 'serve' | 'findOwnDeviceKey'>

/** Tells users of what happens to their things: docs/alerts.md has the rules. */
export function alertsFeature(
  { storage, cluster, clock, log, schedule, metrics }: FeatureBase,
  { config, flips, presence, history, ...parts }: AlertsFeatureOptions,
) {
  const { writer } = cluster
  /** As it was before anything was read: another server may have told that since, and ended. */
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

  schedule.every(lookMs, 'users were not told', async (signal) => {
    const nowMs = presence.recordedUntilMs()
    if (nowMs === null || !cluster.leads()) return
    // Who does not lead has a term that nobody has.
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
    // Before they are read: what comes on record meanwhile is read the next time.
    const islandsRecordedMs = parts.islands.recordedUntilMs()
    while (await readFlips(deps, { nowMs, limit: flipsInStep })) {
      await wait(restMs)
      if (signal.aborted) return
    }
    while (await readWarnings(deps, { nowMs, limit: flipsInStep })) {
      await wait(restMs)
      if (signal.aborted) return
    }
    while (await readReports(deps, { nowMs, limit: flipsInStep })) {
      await wait(restMs)
      if (signal.aborted) return
    }
    const restAtMs = performance.now() + islandsForMs
    let hasMoreIslands = true
    while (hasMoreIslands && performance.now() < restAtMs) {
      hasMoreIslands = await readIslands(deps, { nowMs, limit: followersInStep })
      if (hasMoreIslands) await wait(restMs)
      if (signal.aborted) return
    }
    // What waits to be read may say of any of them that it is open again.
    const islandsUntilMs = (hasMoreIslands ? null : islandsRecordedMs) ?? Number.NEGATIVE_INFINITY
    const turns = { nowMs, islandsUntilMs, limit: turnsInStep }
    while ((await tellUsers(deps, turns)) === turnsInStep) {
      await sender.begin()
      await wait(restMs)
      if (signal.aborted) return
    }
    await sender.begin()
  })
  schedule.every(pruneMs, 'old alerts were kept', async (signal) => {
    if (!cluster.leads()) return
    await rules.deleteMaintenance(clock() - maintenanceKeptMs)
    while ((await store.deleteOld(clock() - keptMs, pruneSize)) === pruneSize) {
      await wait(restMs)
      if (signal.aborted) return
    }
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
    /** The keys of islands of others of which a user is told, or would be if the user could know of them. */
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
      await thingAlertsRoutes(app, { serve, rules, channels, islands, clock, findOwnDeviceKey })
      await operatorAlertsRoutes(app, { serve, store, operatorAlerts, clock, findUserKey })
    },
  }
}
