import type { ReportStatus } from '@astropelago/contract/devices'

/** What a device said about itself. */
export interface SaidReport {
  readonly deviceKey: number
  readonly atMs: number
  readonly status: ReportStatus
  readonly text: string | null
}

/** The last report of a device that is kept. */
export interface StoredReport extends SaidReport {
  /** Since when it has had that status. */
  readonly sinceMs: number
}

/** A device that began or stopped to warn. */
export interface WarningChange extends StoredReport {
  /** Grows with each change. No reader sees a lower one after a higher one. */
  readonly change: number
  readonly deviceId: string
  readonly ownerKey: number
}

export interface DeviceReportsStore {
  /**
   * Keeps each report instead of its device's last one, unless that one is newer.
   * @param reports at most one for each device
   */
  readonly keep: (reports: readonly SaidReport[]) => Promise<void>
  /** In no order. */
  readonly read: (deviceKeys: readonly number[]) => Promise<readonly StoredReport[]>
  /**
   * Devices whose warning began or ended after a change, in order, each once and in its present state. A
   * reader that seldom reads misses warnings that are over. The reader keeps the last change as its cursor,
   * in the transaction that this store was made from.
   */
  readonly readChanges: (after: number, limit: number) => Promise<readonly WarningChange[]>
}
