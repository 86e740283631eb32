import { byLabel } from '../../metrics.ts'
import { sessionHeartbeat, tokenHeartbeat } from '@astropelago/contract/devices'
import type { AnswerCounts } from '../../http/answer-counts.ts'
import type { Metrics } from '../../metrics.ts'
import type { PresenceStore } from './presence-store.ts'
import type { Presence } from './presence.ts'
import type { DeviceReports } from './reports/device-reports.ts'

const outcomes = {
  accepted: [204],
  bad_token: [401],
  not_found: [404],
  malformed: [400, 413],
  rate_limited: [429],
  unavailable: [503],
} as const

export function timedCommits(store: PresenceStore, metrics: Metrics): PresenceStore {
  const recordTime = metrics.timings({
    name: 'astropelago_heartbeat_commit_seconds',
    help: 'How long a group of heartbeats took to become durable',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  })
  return {
    ...store,
    commitHeartbeats: async (group) => {
      const begunMs = performance.now()
      try {
        return await store.commitHeartbeats(group)
      } finally {
        recordTime((performance.now() - begunMs) / 1000)
      }
    },
  }
}

/** Heartbeats are counted by their answers, so the hot path keeps no count of its own. */
export function presenceMetrics(
  metrics: Metrics,
  { presence, answers }: { readonly presence: Presence; readonly answers: AnswerCounts },
): void {
  const counts = Object.entries(outcomes).map(([outcome, statuses]) => ({
    labels: { outcome },
    answered: [tokenHeartbeat, sessionHeartbeat].flatMap((route) =>
      statuses.map((status) => answers.of(route, status)),
    ),
  }))
  metrics.counter({
    name: 'astropelago_heartbeats_total',
    help: 'Heartbeats since the start, by what became of them',
    labels: ['outcome'],
    read: () =>
      counts.map(({ labels, answered }) => ({
        labels,
        value: answered.reduce((sum, { count }) => sum + count, 0),
      })),
  })
  metrics.gauge({
    name: 'astropelago_heartbeats_waiting',
    help: 'Heartbeats that wait for the next commit',
    read: () => presence.waitingCount,
  })
  const flips = { online: 0, offline: 0 }
  presence.listen((deviceKeys, status) => {
    flips[status] += deviceKeys.length
  })
  metrics.counter({
    name: 'astropelago_flips_total',
    help: 'Changes of devices’ status since the start, by the status that they changed to',
    labels: ['status'],
    read: () => byLabel('status', flips),
  })
}

export function reportsMetrics(metrics: Metrics, reports: DeviceReports): void {
  const stored = { ok: 0, fail: 0 }
  reports.listen((added) => {
    for (const { status } of added) stored[status] += 1
  })
  metrics.counter({
    name: 'astropelago_device_reports_total',
    help: 'What devices said of themselves and was kept since the start, by status',
    labels: ['status'],
    read: () => byLabel('status', stored),
  })
}
