import { keepReportEveryS } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import { grouped, tooMuchWaits } from '../../../group-turns.ts'
import { Topic } from '../../../topic.ts'
import type { DeviceReportsStore, StoredReport, SaidReport } from './device-reports-store.ts'

const keepEveryMs = 1000 * keepReportEveryS
/** How many devices may report within that time, at up to 2 kB each. Others are refused. */
const recentMax = 20_000
/** Reports in one commit, so that heartbeats get their turn. */
const keptAtOnce = 500

type ReportListener = (reports: readonly StoredReport[]) => void

interface DeviceReportsDeps {
  readonly store: Pick<DeviceReportsStore, 'keep' | 'read'>
  readonly clock: Clock
}

/** When a device's last report was kept, and what it has said since. */
interface Recent {
  readonly keptMs: number
  waiting: SaidReport | undefined
}

/**
 * Keeps what devices say about themselves ([P10]): a device's first report at once, and of those in the
 * next 10 seconds the last one, when they are over.
 */
export class DeviceReports {
  readonly #store: DeviceReportsDeps['store']
  readonly #clock: Clock
  readonly #keep: (report: SaidReport) => Promise<true>
  /** Devices that reported in the last 10 seconds. */
  readonly #recent = new Map<number, Recent>()
  readonly #kept = new Topic<Parameters<ReportListener>>()

  constructor({ store, clock }: DeviceReportsDeps) {
    this.#store = store
    this.#clock = clock
    this.#keep = grouped(
      async (reports: readonly SaidReport[]) => {
        await this.#keepAll(reports)
        return reports.map(() => true as const)
      },
      { weigh: () => 1, maxWeight: recentMax },
    )
  }

  /** Calls the listener with every report that is kept, whichever server heard it. */
  listen(listener: ReportListener): void {
    this.#kept.subscribe(listener)
  }

  /** How many reports wait for their 10 seconds to end. */
  get waitingCount(): number {
    let count = 0
    for (const { waiting } of this.#recent.values()) if (waiting !== undefined) count += 1
    return count
  }

  /**
   * Resolves when the report is durable, or waits because another one was kept just before.
   * @throws DomainError `overloaded`; StorageUnavailable
   */
  async say(said: Omit<SaidReport, 'atMs'>): Promise<void> {
    const report = { ...said, atMs: this.#clock() }
    const recent = this.#recent.get(report.deviceKey)
    const isOver =
      recent?.waiting === undefined && report.atMs >= (recent?.keptMs ?? 0) + keepEveryMs
    if (recent !== undefined && !isOver) {
      recent.waiting = report
      return
    }
    if (recent === undefined && this.#recent.size >= recentMax) throw tooMuchWaits()
    // It stays at its place in the order of times.
    this.#recent.delete(report.deviceKey)
    const kept: Recent = { keptMs: report.atMs, waiting: undefined }
    this.#recent.set(report.deviceKey, kept)
    try {
      await this.#keep(report)
    } catch (error) {
      // Reports that arrived meanwhile were answered as taken.
      if (kept.waiting === undefined) this.#recent.delete(report.deviceKey)
      throw error
    }
  }

  /** Call it every second. Keeps what has waited long enough, or everything if `isLast`. */
  async keepWaiting({ isLast = false } = {}): Promise<void> {
    const dueMs = isLast ? Number.POSITIVE_INFINITY : this.#clock() - keepEveryMs
    const due: SaidReport[] = []
    // In the order in which they were kept.
    for (const [deviceKey, { keptMs, waiting }] of this.#recent) {
      if (keptMs > dueMs) break
      this.#recent.delete(deviceKey)
      if (waiting === undefined) continue
      due.push(waiting)
      this.#recent.set(deviceKey, { keptMs: this.#clock(), waiting: undefined })
    }
    try {
      await this.#keepAll(due)
    } catch (error) {
      for (const report of due) {
        const recent = this.#recent.get(report.deviceKey)
        if (recent !== undefined) recent.waiting ??= report
      }
      throw error
    }
  }

  /** Call it when another server has kept these reports. */
  async hear(deviceKeys: readonly number[]): Promise<void> {
    this.#tell(await this.#store.read(deviceKeys))
  }

  async #keepAll(reports: readonly SaidReport[]): Promise<void> {
    for (let from = 0; from < reports.length; from += keptAtOnce) {
      this.#tell(await this.#store.keep(reports.slice(from, from + keptAtOnce)))
    }
  }

  #tell(reports: readonly StoredReport[]): void {
    this.#kept.publish(reports)
  }
}
