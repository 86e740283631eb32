import { isoTime } from '../../iso-time.ts'
import { tokenHeartbeat } from '@astropelago/contract/devices'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { AnswerCounts } from '../../http/answer-counts.ts'
import type { AnswerEarly } from '../../http/early-answers.ts'
import type { Serve } from '../../http/serve-route.ts'
import { counted, type OwnDataKind } from '../../own-data.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import { answerHeartbeats, type AnswerHeartbeatsOptions } from './answer-heartbeats.ts'
import { createFlipLog } from './flips/flip-log.ts'
import type { FlipStore } from './flips/flip-store.ts'
import { sqlFlipStore } from './flips/sql-flip-store.ts'
import { decodeDeviceKeys } from './heartbeat-log.ts'
import { postgresPresenceStore } from './postgres-presence-store.ts'
import { presenceMetrics, reportsMetrics, timedCommits } from './presence-metrics.ts'
import { presenceRoutes } from './presence-routes.ts'
import type { PresenceStore } from './presence-store.ts'
import { Presence, tickMs } from './presence.ts'
import { createDeviceReports } from './reports/device-reports.ts'
import { sqlDeviceReportsStore } from './reports/sql-device-reports-store.ts'
import type { SqlPresenceStoreOptions } from './sql-presence-store.ts'
import { sqlitePresenceStore } from './sqlite-presence-store.ts'

const foldHeartbeatsMs = 60_000
const flipLogMs = 1000
const keepReportsMs = 1000

export async function presenceFeature(
  { storage, cluster, clock, log, schedule, metrics }: FeatureBase,
  {
    config: { onlineWindowMs: windowMs },
    answers,
  }: {
    readonly answers: AnswerCounts
    readonly config: Pick<Config, 'onlineWindowMs'>
  },
) {
  const { store: untimed, join } = presenceStoreOf(storage, cluster)
  const store = timedCommits(untimed, metrics)
  const { writer, leads, silences } = cluster
  const shared = writer === undefined ? {} : { shared: { writer, leads, silences } }
  const presence = await Presence.load({ store, clock, windowMs, log, ...shared })
  join(presence)
  presenceMetrics(metrics, { presence, answers })
  const flips = sqlFlipStore(storage.db)
  const flipLog = createFlipLog({ store: flips, log })
  presence.listen(() => flipLog.expectFlips())

  schedule.every(tickMs, 'the presence tick failed', () => presence.tick())
  schedule.everyOnLeader(foldHeartbeatsMs, 'could not fold heartbeats', (signal) =>
    store.fold(signal),
  )
  schedule.everyOnLeader(flipLogMs, 'could not log flips', () => flipLog.write())
  const reportsStore = sqlDeviceReportsStore(storage)
  const reports = createDeviceReports({ store: reportsStore, clock })
  reportsMetrics(metrics, reports)
  // This server publishes its own once they are durable.
  cluster.onRow('device-reports', ({ keys }) => reports.publish(keys))
  schedule.every(keepReportsMs, 'could not store reports of devices', () => reports.keepWaiting())
  schedule.atEnd(() => presence.stop())
  schedule.atEnd(() => reports.keepWaiting({ isLast: true }))

  const heartbeat = (deviceKey: number) => presence.heartbeat(deviceKey)
  const isScheduled = (deviceKey: number) => presence.isScheduled(deviceKey)
  return {
    presence,
    flips,
    readOwnFlips: sqlFlipStore(storage.longReads).readNewestOf,
    ownData: ownFlipsData(flips),
    /** `readChanges` misses no warning, even after a crash. */
    reports: {
      read: reportsStore.read,
      readChanges: reportsStore.readChanges,
      listen: reports.listen,
    },
    routes: (
      app: FastifyInstance,
      parts: {
        readonly serve: Serve
        readonly findOwnDeviceKey: (userKey: number, id: string) => Promise<number | undefined>
        readonly recordTokenUse: (tokenKey: number) => void
      },
    ) => presenceRoutes(app, { ...parts, heartbeat, isScheduled, say: reports.say }),
    answerEarly: (
      devices: Pick<AnswerHeartbeatsOptions, 'findDevice' | 'recordTokenUse'>,
      headers: AnswerHeartbeatsOptions['headers'],
    ): AnswerEarly =>
      answerHeartbeats({
        ...devices,
        headers,
        heartbeat,
        answered: answers.of(tokenHeartbeat, 204),
      }),
  }
}

function presenceStoreOf(storage: Storage, cluster: Cluster) {
  if (storage.kind !== 'postgres') return { store: presenceStore(storage), join: () => undefined }
  // A server that does not lead has a term that matches nothing.
  const store = postgresPresenceStore(storage, { term: () => cluster.term() ?? -1 })
  return {
    store,
    join: (presence: Presence) => {
      cluster.onRow('heartbeats', (row) => {
        store.receiveGroup(row)
        presence.receiveHeartbeats({ ...row, deviceKeys: decodeDeviceKeys(row.deviceKeys) })
      })
      cluster.onRow('offline', ({ keys, atMs }) => presence.receiveOffline(keys, atMs))
      cluster.holdCursorsWhile(() => presence.isRecording())
      cluster.onLead((rows) =>
        presence.lead(rows.flatMap(({ deviceKeys }) => [...decodeDeviceKeys(deviceKeys)])),
      )
    },
  }
}

export function presenceStore(storage: Storage, options?: SqlPresenceStoreOptions): PresenceStore {
  return storage.kind === 'postgres'
    ? postgresPresenceStore(storage, options)
    : sqlitePresenceStore(storage, options)
}

/** When a user's devices came online and went offline, one device at a time. */
function ownFlipsData(flips: Pick<FlipStore, 'countOf' | 'readOf'>): OwnDataKind {
  return {
    kind: 'statusChanges',
    count: flips.countOf,
    text: (count) => `${counted(count, 'change', 'changes')} of their status`,
    read: async function* (userKey) {
      for await (const { deviceId, flips: changes } of flips.readOf(userKey)) {
        yield JSON.stringify({
          device: deviceId,
          changes: changes.map(({ status, atMs }) => ({
            status,
            at: isoTime(atMs),
          })),
        })
      }
    },
  }
}
