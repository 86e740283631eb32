import type { Status } from '@astropelago/contract/devices'

/** What devices need from the presence feature. `app.ts` passes it in. */
export interface DevicePresence {
  readonly status: (deviceKey: number) => Status
  readonly lastSeenMs: (deviceKey: number) => number | null
  /** The status, and when the device took it; null if that is not on record. */
  readonly statusSince: (
    deviceKey: number,
  ) => Promise<{ readonly status: Status; readonly sinceMs: number | null }>
  /** Counts all devices that ever reported. */
  readonly count: () => { readonly online: number; readonly offline: number }
  readonly forget: (deviceKey: number) => void
}
