import type { ReportStatus } from '@astropelago/contract/devices'

/** What a device last said about itself. */
export interface StoredReport {
  readonly deviceKey: number
  readonly atMs: number
  readonly status: ReportStatus
  /** When the reported status began. */
  readonly sinceMs: number
  readonly text: string | null
}

/** What devices need from the reports of devices. `app.ts` passes it in. */
export interface DeviceReports {
  /** In no particular order. */
  readonly read: (deviceKeys: readonly number[]) => Promise<readonly StoredReport[]>
}
