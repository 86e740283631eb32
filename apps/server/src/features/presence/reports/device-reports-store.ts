import type { ReportStatus } from '@astropelago/contract/devices'

export interface NewReport {
  readonly deviceKey: number
  readonly atMs: number
  readonly status: ReportStatus
  readonly text: string | null
}

export interface StoredReport extends NewReport {
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
  /** Replaces each device's last report unless that one is newer. Takes at most one for each device. */
  readonly keep: (reports: readonly NewReport[]) => Promise<readonly StoredReport[]>
  readonly read: (deviceKeys: readonly number[]) => Promise<readonly StoredReport[]>
  /**
   * Warnings that began or ended, each in its present state. The reader moves its cursor in this
   * transaction.
   */
  readonly readChanges: (after: number, limit: number) => Promise<readonly WarningChange[]>
}
