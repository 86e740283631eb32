import type { ReportStatus } from '@astropelago/contract/devices'

/** What a device said of itself. */
export interface SaidReport {
  readonly deviceKey: number
  readonly atMs: number
  readonly status: ReportStatus
  readonly text: string | null
}

/** The last one that is kept of a device. */
export interface KeptReport extends SaidReport {
  /** Since when its status is that. */
  readonly sinceMs: number
}

/** A device that warns, or does so no more. */
export interface WarningChange extends KeptReport {
  /** Grows from change to change, and no reader ever sees a lower one after a higher one. */
  readonly change: number
  readonly deviceId: string
  readonly ownerKey: number
}

export interface DeviceReportsStore {
  /**
   * Keeps each in place of its device's last one, unless that is newer.
   * @param reports one of a device
   * @returns what is kept now of these devices, in no order; of those that are gone nothing
   */
  readonly keep: (reports: readonly SaidReport[]) => Promise<readonly KeptReport[]>
  /** In no order. */
  readonly read: (deviceKeys: readonly number[]) => Promise<readonly KeptReport[]>
  /**
   * Devices of which a warning began or ended after a change, the first ones first and each once, as it is by
   * now: who reads seldom misses what was over before. For a reader that keeps the last change as its cursor,
   * in the transaction that this store was made from.
   */
  readonly readChanges: (after: number, limit: number) => Promise<readonly WarningChange[]>
}
