import { setTimeout as wait } from 'node:timers/promises'
import { deviceRetentionDays, historyDays } from '@astropelago/contract/history'
import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../feature-base.ts'
import { dayMs, dayStart, writeDay } from '../../history/time-spans.ts'
import { uptimesOf } from '../../history/uptimes.ts'
import { isoTime } from '../../iso-time.ts'
import { counted, type OwnDataKind } from '../../own-data.ts'
import { newestPosition } from '../../page-position.ts'
import { deleteInSteps } from '../../steps.ts'
import type { PresenceFeature } from '../presence/public.ts'
import { historyRoutes, type HistoryRoutesOptions } from './history-routes.ts'
import type { HistoryStore } from './history-store.ts'
import { readHistory, type VisibleDevice } from './read-history.ts'
import { daysReader, rollUpDays, rollUpRestMs } from './roll-up-days.ts'
import { sqlHistoryStore } from './sql-history-store.ts'

const rollUpMs = 10 * 60_000
const rest = () => wait(rollUpRestMs)

type RoutesParts = Pick<HistoryRoutesOptions, 'serve' | 'findUser' | 'findDevice'>

export function historyFeature(
  { storage, clock, schedule, metrics }: FeatureBase,
  { presence, flips }: Pick<PresenceFeature, 'presence' | 'flips'>,
) {
  const store = sqlHistoryStore(storage.db, { longReads: storage.longReads })
  const history = readHistory({ store, clock, presence })
  presence.listen(history.forget)

  const counts = { days: 0, flips: 0 }
  schedule.every(rollUpMs, 'could not make the daily history of devices', async (signal) => {
    // Not the current time: after the machine slept, an outage may not be on record yet.
    const recordedMs = presence.recordedUntilMs()
    if (recordedMs === null) return
    counts.days += await rollUpDays({ store, flips, rest }, dayStart(recordedMs), signal)
    if (signal.aborted) return
    const flipsUntilMs = dayStart(recordedMs - historyDays * dayMs)
    counts.flips += await flips.prune(flipsUntilMs, daysReader, signal)
    const daysUntilMs = dayStart(recordedMs - deviceRetentionDays * dayMs)
    await deleteInSteps((limit) => store.deleteOld(daysUntilMs, limit), { signal, rest })
  })

  metrics.counter({
    name: 'astropelago_history_days_total',
    help: 'Days of devices that were made from their flips',
    read: () => counts.days,
  })
  metrics.counter({
    name: 'astropelago_history_flips_deleted_total',
    help: 'Flips that were deleted once their days were made and they were old',
    read: () => counts.flips,
  })
  metrics.gauge({
    name: 'astropelago_history_oldest_flip_seconds',
    help: 'Age of the oldest flip of which no day was made yet; more than two days mean that the work is stuck',
    read: async () => {
      const oldest = await flips.read(daysReader, 1)
      return Math.max(0, clock() - (oldest?.atMs[0] ?? clock())) / 1000
    },
  })

  return {
    readDevice: history.of,
    readUptimes: async (device: VisibleDevice) => uptimesOf(await history.of(device)),
    readNewestFlips: async (device: VisibleDevice, limit: number) => {
      const { firstMs, unrecorded } = await history.of(device)
      // A first flip at this very moment has no time yet.
      const sinceMs = Math.max(device.visibleFromMs, firstMs ?? clock())
      const { atMs: beforeMs, id: beforeStatus } = newestPosition
      const page = { sinceMs, beforeMs, beforeStatus, limit }
      const newest = await store.newestFlips(device.deviceKey, page)
      return { flips: newest, areAllOnRecord: unrecorded === null }
    },
    readUnobserved: history.readUnobserved,
    ownData: ownHistoryData(store),
    routes: (app: FastifyInstance, parts: RoutesParts) =>
      historyRoutes(app, { ...parts, presence, history, store }),
  }
}

function ownHistoryData(store: Pick<HistoryStore, 'countOf' | 'readOf'>): OwnDataKind {
  return {
    kind: 'deviceDays',
    count: store.countOf,
    text: (count) => `${counted(count, 'day', 'days')} of their history`,
    read: async function* (userKey) {
      for await (const { deviceId, days } of store.readOf(userKey)) {
        yield JSON.stringify({
          device: deviceId,
          days: days.map((day) => ({
            day: writeDay(day.startMs),
            onlineS: day.onlineS,
            offlineS: day.offlineS,
            unobservedS: day.unobservedS,
            flips: day.flips,
            status: day.status,
            since: isoTime(day.sinceMs),
          })),
        })
      }
    },
  }
}
