import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { alertMessageRetentionDays } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { counted, ownList, type OwnDataKind } from '../../own-data.ts'
import { newestPosition, type PagePosition } from '../../page-position.ts'
import { deleteInSteps, inSteps } from '../../steps.ts'
import type { ChecksFeature } from '../checks/public.ts'
import type { HistoryFeature } from '../history/public.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { Presence, PresenceFeature } from '../presence/public.ts'
import {
  alertMessagesRoutes,
  presentMessage,
  type AlertMessagesRoutesOptions,
} from './alert-messages-routes.ts'
import {
  alertRulesRoutes,
  listDiffering,
  presentMaintenance,
  type AlertRulesRoutesOptions,
} from './alert-rules-routes.ts'
import { alertUsers } from './alert-users.ts'
import type { AlertMessage, Channels } from './channels/channel.ts'
import { quietUntilMs } from './quiet-hours.ts'
import { readChecks, readFlips, readIslands, readWarnings } from './read-changes.ts'
import { readReports, type ReportSource } from './read-reports.ts'
import { DeliverySender } from './send-deliveries.ts'
import { sqlAlertMessagesStore } from './sql-alert-messages-store.ts'
import { sqlAlertRulesStore } from './sql-alert-rules-store.ts'
import { sqlAlertsStore } from './sql-alerts-store.ts'
import { chooseChannels, defaultUserRules } from './user-rules.ts'

const checkMs = 500
/** A heartbeat may have to wait for a whole step. */
const flipsInStep = 250
/** Each follower has rules of their own for up to 200 islands. */
const followersInStep = 100
/** Time limit per run. Islands that flap or have many followers must not delay alerts about devices. */
const islandsForMs = 1000
/** Each turn takes several statements. The transaction delays the recording of flips on PostgreSQL. */
const turnsInStep = 8
/** At shutdown, deliveries in progress get this long. The next start repeats the rest. */
const stopMs = 3000
const messageRetentionMs = alertMessageRetentionDays * 86_400_000
const pruneMs = 3_600_000
const exportPageLength = 100
/** It still delays alerts about outages that it overlapped: by a grace period and quiet hours at most. */
const maintenanceRetentionMs = 7 * 86_400_000

interface AlertsFeatureOptions {
  readonly config: Pick<Config, 'publicUrl' | 'onlineWindowMs'>
  readonly flips: Pick<PresenceFeature['flips'], 'read'>
  readonly warnings: Pick<PresenceFeature['reports'], 'read' | 'readChanges'>
  readonly islands: IslandsFeature['alerts']
  readonly checks: Pick<ChecksFeature['store'], 'readChanges'>
  readonly reports: ReportSource
  readonly channels: Channels
  readonly history: Pick<HistoryFeature, 'readUnobserved'>
  /** All flips until `recordedUntilMs` are on record. */
  readonly presence: Pick<Presence, 'recordedUntilMs'>
}

/** Alerts users to changes of their devices, islands and checks. docs/alerts.md has the rules. */
export function alertsFeature(
  { storage, cluster, clock, log, schedule, metrics }: FeatureBase,
  { config, presence, history, ...parts }: AlertsFeatureOptions,
) {
  const { channels, islands, reports } = parts
  const { writer } = cluster
  // Read before anything else. If another server has led since, writes of this term are refused.
  // No leader has the term -1.
  let term = -1
  const store = sqlAlertsStore(storage.db, () =>
    writer === undefined ? undefined : { writer, term },
  )
  const messages = sqlAlertMessagesStore(storage.db)
  const rules = sqlAlertRulesStore(storage.db)
  let isStopping = false
  const sender = new DeliverySender({
    store: messages,
    rules,
    channels,
    reports,
    mayBegin: () => cluster.leads() && !isStopping,
    clock,
    log,
  })

  schedule.every(checkMs, 'alerts were not processed', async (signal) => {
    const nowMs = presence.recordedUntilMs()
    if (nowMs === null || !cluster.leads()) return
    term = cluster.term() ?? -1
    const deps = {
      ...parts,
      store,
      messages,
      rules,
      publicUrl: config.publicUrl,
      windowMs: config.onlineWindowMs,
      readUnobserved: history.readUnobserved,
    }
    // Taken before the changes are read. What is recorded meanwhile is read in the next run.
    const islandsRecordedMs = islands.recordedUntilMs()
    for (const read of [readFlips, readWarnings, readChecks, readReports]) {
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
  schedule.everyOnLeader(pruneMs, 'old alerts were not deleted', async (signal) => {
    await rules.deleteMaintenance(clock() - maintenanceRetentionMs)
    const untilMs = clock() - messageRetentionMs
    await deleteInSteps((limit) => messages.deleteOld(untilMs, limit), { signal })
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
    read: async () => ((await messages.pausedMs()) === null ? 0 : 1),
  })
  metrics.gauge({
    name: 'astropelago_alerts_waiting',
    help: 'Alerts on their way to channels, those that wait for another try too',
    read: async () => (await messages.waiting()).count,
  })
  metrics.gauge({
    name: 'astropelago_alerts_oldest_seconds',
    help: 'Age of the oldest of them',
    read: async () => {
      const { sinceMs } = await messages.waiting()
      return sinceMs === null ? 0 : Math.max(0, clock() - sinceMs) / 1000
    },
  })

  const ownMessages: OwnDataKind = {
    kind: 'alerts',
    count: messages.count,
    text: (count) => counted(count, 'alert', 'alerts'),
    read: async function* (userKey) {
      let after: PagePosition = newestPosition
      for (;;) {
        const page = await messages.list(userKey, { after, limit: exportPageLength })
        for (const message of page) yield JSON.stringify(presentMessage(message))
        const last = page.at(-1)
        if (last === undefined || page.length < exportPageLength) return
        after = last
      }
    },
  }
  const ownRules = ownList({
    kind: 'alertRules',
    text: (count) => counted(count, 'rule of alerts', 'rules of alerts'),
    list: async (userKey) => {
      const user = (await rules.rulesOf([userKey])).get(userKey)
      if (user === undefined) return []
      const { known } = await listDiffering({ rules, islands }, userKey)
      return [
        { rules: user.rules },
        ...known.map(({ of, id, rules: own }) => ({ [of]: id, rules: own })),
        ...presentMaintenance(user.maintenance, 0).map((maintenance) => ({ maintenance })),
      ]
    },
  })

  return {
    ownData: [ownMessages, ownRules],
    /**
     * Sends a message that is about no outage ([N28]). It must not be more than a few a day.
     * @returns false during the user's quiet hours: call it again later
     */
    send: async (
      userKey: number,
      { title, lines, path }: Pick<AlertMessage, 'title' | 'lines'> & { readonly path: string },
    ): Promise<boolean> => {
      const [rulesOf, ready] = await Promise.all([
        rules.rulesOf([userKey]),
        channels.readyOf([userKey]),
      ])
      const { rules: own } = rulesOf.get(userKey) ?? defaultUserRules
      const chosen = own.isOn ? chooseChannels(ready.get(userKey) ?? [], own.channels) : []
      if (chosen.length === 0) return true
      const nowMs = clock()
      if (quietUntilMs(nowMs, own) > nowMs) return false
      const url = config.publicUrl + path
      const message: AlertMessage = { kind: 'warning', title, lines, url, atMs: nowMs, items: [] }
      await messages.insert(userKey, { id: randomUUID(), message, channels: chosen }, nowMs)
      return true
    },
    /** Includes islands that the user may no longer know of. */
    listFollowed: async (userKey: number) => {
      const differing = await rules.listDiffering(userKey)
      return differing
        .filter(({ of, rules: { isOn } }) => of === 'island' && isOn === true)
        .map(({ key }) => key)
    },
    routes: async (
      app: FastifyInstance,
      given: Pick<AlertMessagesRoutesOptions, 'findUserKey'> &
        Pick<AlertRulesRoutesOptions, 'serve' | 'findOwnDeviceKey'>,
    ) => {
      const shared = { ...given, store, messages, rules, channels, islands, clock }
      await alertRulesRoutes(app, shared)
      await alertMessagesRoutes(app, shared)
    },
  }
}
