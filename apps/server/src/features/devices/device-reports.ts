import type { ReportStatus } from '@astropelago/contract/devices'

/** What a device last said of itself. */
export interface KeptReport {
  readonly deviceKey: number
  readonly atMs: number
  readonly status: ReportStatus
  /** Since when its status is that. */
  readonly sinceMs: number
  readonly text: string | null
}

/** What devices ask of what they said; `app.ts` hands it in. */
export interface DeviceReports {
  /** In no order. */
  readonly read: (deviceKeys: readonly number[]) => Promise<readonly KeptReport[]>
}
