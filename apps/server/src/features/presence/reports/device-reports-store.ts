import type { ReportStatus } from '@astropelago/contract/devices'

export interface NewReport {
  readonly deviceKey: number
  readonly atMs: number
  /** Null if it only says that a run starts, which changes nothing else. */
  readonly status: ReportStatus | null
  readonly text: string | null
  readonly exitCode: number | null
  /** When the run that this ends began, if that is not on record yet. */
  readonly beganMs: number | null
  /** When a run began that has not ended. */
  readonly startedMs: number | null
}

export interface StoredReport {
  readonly deviceKey: number
  readonly atMs: number
  readonly status: ReportStatus
  readonly sinceMs: number
  readonly text: string | null
  readonly exitCode: number | null
  readonly durationMs: number | null
  readonly startedMs: number | null
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
