import { keepReportEveryS } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import { grouped, tooMuchWaits } from '../../../group-turns.ts'
import { Topic } from '../../../topic.ts'
import type { DeviceReportsStore, StoredReport, SaidReport } from './device-reports-store.ts'

const keepEveryMs = 1000 * keepReportEveryS
/** How many devices may report within that time, at up to 2 kB each. Others are refused. */
const recentMax = 20_000
/** Reports in one commit, so that heartbeats get their turn. */
const storedAtOnce = 500

interface Recent {
  readonly storedMs: number
  waiting: SaidReport | undefined
}

interface DeviceReportsParts {
  readonly store: Pick<DeviceReportsStore, 'keep' | 'read'>
  readonly clock: Clock
}

/** Stores a device's first report at once, and of those in the next 10 seconds the last one ([P10]). */
export class DeviceReports {
  readonly #store: DeviceReportsParts['store']
  readonly #clock: Clock
  readonly #add: (report: SaidReport) => Promise<true>
  /** Devices that reported in the last 10 seconds, in the order of `storedMs`. */
  readonly #recent = new Map<number, Recent>()
  readonly #stored = new Topic<[reports: readonly StoredReport[]]>()

  constructor({ store, clock }: DeviceReportsParts) {
    this.#store = store
    this.#clock = clock
    this.#add = grouped(
      async (reports: readonly SaidReport[]) => {
        await this.#addAll(reports)
        return reports.map(() => true as const)
      },
      { weigh: () => 1, maxWeight: recentMax },
    )
  }

  readonly listen = this.#stored.subscribe

  get waitingCount(): number {
    let count = 0
    for (const { waiting } of this.#recent.values()) if (waiting !== undefined) count += 1
    return count
  }

  /** Resolves when it is durable or waits. @throws DomainError `overloaded`; StorageUnavailable */
  async say(said: Omit<SaidReport, 'atMs'>): Promise<void> {
    const report = { ...said, atMs: this.#clock() }
    const recent = this.#recent.get(report.deviceKey)
    const isOver =
      recent?.waiting === undefined && report.atMs >= (recent?.storedMs ?? 0) + keepEveryMs
    if (recent !== undefined && !isOver) {
      recent.waiting = report
      return
    }
    if (recent === undefined && this.#recent.size >= recentMax) throw tooMuchWaits()
    this.#recent.delete(report.deviceKey)
    const stored: Recent = { storedMs: report.atMs, waiting: undefined }
    this.#recent.set(report.deviceKey, stored)
    try {
      await this.#add(report)
    } catch (error) {
      // Reports that arrived meanwhile were answered as accepted.
      if (stored.waiting === undefined) this.#recent.delete(report.deviceKey)
      throw error
    }
  }

  /** Call it every second. Stores what has waited long enough, or everything if `isLast`. */
  async keepWaiting({ isLast = false } = {}): Promise<void> {
    const dueMs = isLast ? Number.POSITIVE_INFINITY : this.#clock() - keepEveryMs
    const due: SaidReport[] = []
    for (const [deviceKey, { storedMs, waiting }] of this.#recent) {
      if (storedMs > dueMs) break
      this.#recent.delete(deviceKey)
      if (waiting === undefined) continue
      due.push(waiting)
      this.#recent.set(deviceKey, { storedMs: this.#clock(), waiting: undefined })
    }
    try {
      await this.#addAll(due)
    } catch (error) {
      for (const report of due) {
        const recent = this.#recent.get(report.deviceKey)
        if (recent !== undefined) recent.waiting ??= report
      }
      throw error
    }
  }

  /** Call it when any server has stored reports of these devices. */
  async publish(deviceKeys: readonly number[]): Promise<void> {
    this.#stored.publish(await this.#store.read(deviceKeys))
  }

  async #addAll(reports: readonly SaidReport[]): Promise<void> {
    for (let from = 0; from < reports.length; from += storedAtOnce) {
      await this.#store.keep(reports.slice(from, from + storedAtOnce))
    }
  }
}
