import { keepReportEveryS } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import { tooMuchWaits } from '../../../group-turns.ts'
import { grouped } from '../../../grouped.ts'
import { Topic } from '../../../topic.ts'
import type { DeviceReportsStore, KeptReport, SaidReport } from './device-reports-store.ts'

const keepEveryMs = 1000 * keepReportEveryS
/** Devices that have said something in that time: 2 kB each at most. Past it others are refused. */
const recentMax = 20_000
/** In one commit, so that heartbeats get their turn. */
const keptAtOnce = 500

type ReportListener = (reports: readonly KeptReport[]) => void

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
 * Keeps what devices say of themselves ([P10]): the first report of a device at once, of those that come in the
 * next 10 seconds the last one, when they are over.
 */
export class DeviceReports {
  readonly #store: DeviceReportsDeps['store']
  readonly #clock: Clock
  readonly #keep: (report: SaidReport) => Promise<true>
  /** Of the last 10 seconds. */
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

  /** Calls back with what is kept, whichever server heard it. */
  listen(listener: ReportListener): void {
    this.#kept.subscribe(listener)
  }

  /** How many wait for their 10 seconds to end. */
  get waitingCount(): number {
    let count = 0
    for (const { waiting } of this.#recent.values()) if (waiting !== undefined) count += 1
    return count
  }

  /**
   * Resolves when it is durable, or waits because another one was kept just before.
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
    // It stands where it belongs in the order of their times.
    this.#recent.delete(report.deviceKey)
    const kept: Recent = { keptMs: report.atMs, waiting: undefined }
    this.#recent.set(report.deviceKey, kept)
    try {
      await this.#keep(report)
    } catch (error) {
      // What came meanwhile was told that it is taken.
      if (kept.waiting === undefined) this.#recent.delete(report.deviceKey)
      throw error
    }
  }

  /** To be called every second: keeps what has waited long enough, or with `isLast` all of it. */
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

  /** To be called when another server kept these. */
  async hear(deviceKeys: readonly number[]): Promise<void> {
    this.#tell(await this.#store.read(deviceKeys))
  }

  async #keepAll(reports: readonly SaidReport[]): Promise<void> {
    for (let from = 0; from < reports.length; from += keptAtOnce) {
      this.#tell(await this.#store.keep(reports.slice(from, from + keptAtOnce)))
    }
  }

  #tell(reports: readonly KeptReport[]): void {
    this.#kept.publish(reports)
  }
}
