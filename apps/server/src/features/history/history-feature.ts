import { setTimeout as wait } from 'node:timers/promises'
import { deviceRetentionDays, historyDays } from '@astropelago/contract/history'
import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../feature-base.ts'
import { dayMs, dayStart } from '../../history/time-spans.ts'
import { deleteInSteps } from '../../steps.ts'
import type { Present } from './device-history.ts'
import { historyRoutes } from './history-routes.ts'
import { ownHistoryData } from './own-history-data.ts'
import { readHistory, uptimesOf, type VisibleDevice } from './read-history.ts'
import { readNewestFlips } from './read-newest-flips.ts'
import { daysReader, rollUpDays, rollUpRestMs, type FlipsToRollUp } from './roll-up-days.ts'
import { sqlHistoryStore } from './sql-history-store.ts'

const rollUpMs = 10 * 60_000
const rest = () => wait(rollUpRestMs)

interface HistoryFeatureOptions {
  readonly presence: {
    readonly present: (deviceKey: number) => Present
    readonly statusSince: Parameters<typeof historyRoutes>[1]['statusSince']
    readonly recordedUntilMs: () => number | null
    readonly listen: (listener: (deviceKeys: readonly number[]) => void) => void
  }
  readonly flips: FlipsToRollUp
}

type RoutesParts = Pick<Parameters<typeof historyRoutes>[1], 'serve' | 'findUser' | 'findDevice'>

/** The history of devices: their days, and their uptime. */
export function historyFeature(
  { storage, clock, schedule, metrics }: FeatureBase,
  { presence, flips }: HistoryFeatureOptions,
) {
  const store = sqlHistoryStore(storage.db, { longReads: storage.longReads })
  const history = readHistory({ store, clock, present: (key) => presence.present(key) })
  presence.listen(history.noteFlips)

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
    /** For badges, status pages and alerts: the history of a device as far as its reader may know it. */
    readDevice: history.of,
    readUptimes: async (device: VisibleDevice) => uptimesOf(await history.of(device)),
    readNewestFlips: readNewestFlips({ store, history, clock }),
    readUnobserved: history.readUnobserved,
    ownData: ownHistoryData(store),
    routes: (app: FastifyInstance, parts: RoutesParts) =>
      historyRoutes(app, {
        ...parts,
        statusSince: (key) => presence.statusSince(key),
        history,
        store,
      }),
  }
}
