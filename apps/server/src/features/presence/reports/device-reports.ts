import type { HeartbeatStatus } from '@astropelago/contract/devices'
import { keepReportEveryS } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import { grouped, tooMuchWaits } from '../../../group-turns.ts'
import { Topic } from '../../../topic.ts'
import type { DeviceReportsStore, StoredReport, NewReport } from './device-reports-store.ts'

const keepEveryMs = 1000 * keepReportEveryS
/** How many devices may report within that time, at up to 2 kB each. Others are refused. */
const recentMax = 20_000
/** Reports in one commit, so that heartbeats get their turn. */
const storedAtOnce = 500

interface Recent {
  readonly storedMs: number
  waiting: NewReport | undefined
}

/** Of two reports in that time the last one is stored, with when its run and the next one began. */
function merged(earlier: NewReport | undefined, next: NewReport | undefined) {
  if (earlier === undefined || next === undefined) return next ?? earlier
  if (next.status !== null) return { ...next, beganMs: next.beganMs ?? earlier.startedMs }
  return { ...(earlier.status === null ? next : earlier), startedMs: next.startedMs }
}

export type SaidReport = Pick<NewReport, 'deviceKey' | 'text' | 'exitCode'> & {
  readonly status: HeartbeatStatus
}

export type DeviceReports = ReturnType<typeof createDeviceReports>

/** Stores a device's first report at once, and of those in the next 10 seconds the last one ([P10]). */
export function createDeviceReports({
  store,
  clock,
}: {
  readonly store: Pick<DeviceReportsStore, 'keep' | 'read'>
  readonly clock: Clock
}) {
  /** Devices that reported in the last 10 seconds, in the order of `storedMs`. */
  const allRecent = new Map<number, Recent>()
  const stored = new Topic<[reports: readonly StoredReport[]]>()

  const addAll = async (reports: readonly NewReport[]) => {
    for (let from = 0; from < reports.length; from += storedAtOnce) {
      stored.publish(await store.keep(reports.slice(from, from + storedAtOnce)))
    }
  }
  const add = grouped(
    async (reports: readonly NewReport[]) => {
      await addAll(reports)
      return reports.map(() => true as const)
    },
    { weigh: () => 1, maxWeight: recentMax },
  )

  return {
    listen: stored.subscribe,
    /** Resolves when it is durable or waits. @throws DomainError `overloaded`; StorageUnavailable */
    say: async ({ status, ...said }: SaidReport): Promise<void> => {
      const atMs = clock()
      const report: NewReport =
        status === 'start'
          ? { ...said, atMs, status: null, beganMs: null, startedMs: atMs }
          : { ...said, atMs, status, beganMs: null, startedMs: null }
      const recent = allRecent.get(report.deviceKey)
      const isOver =
        recent?.waiting === undefined && report.atMs >= (recent?.storedMs ?? 0) + keepEveryMs
      if (recent !== undefined && !isOver) {
        recent.waiting = merged(recent.waiting, report)
        return
      }
      if (recent === undefined && allRecent.size >= recentMax) throw tooMuchWaits()
      allRecent.delete(report.deviceKey)
      const begun: Recent = { storedMs: report.atMs, waiting: undefined }
      allRecent.set(report.deviceKey, begun)
      try {
        await add(report)
      } catch (error) {
        // Reports that arrived meanwhile were answered as accepted.
        if (begun.waiting === undefined) allRecent.delete(report.deviceKey)
        throw error
      }
    },
    /** Call it every second. Stores what has waited long enough, or everything if `isLast`. */
    keepWaiting: async ({ isLast = false } = {}): Promise<void> => {
      const dueMs = isLast ? Number.POSITIVE_INFINITY : clock() - keepEveryMs
      const due: NewReport[] = []
      for (const [deviceKey, { storedMs, waiting }] of allRecent) {
        if (storedMs > dueMs) break
        allRecent.delete(deviceKey)
        if (waiting === undefined) continue
        due.push(waiting)
        allRecent.set(deviceKey, { storedMs: clock(), waiting: undefined })
      }
      try {
        await addAll(due)
      } catch (error) {
        for (const report of due) {
          const recent = allRecent.get(report.deviceKey)
          if (recent !== undefined) recent.waiting = merged(report, recent.waiting)
        }
        throw error
      }
    },
    /** Call it when another server has stored reports of these devices. */
    publish: async (deviceKeys: readonly number[]): Promise<void> =>
      stored.publish(await store.read(deviceKeys)),
  }
}
