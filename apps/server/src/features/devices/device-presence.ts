import type { Status } from '@astropelago/contract/devices'

/** What devices ask of the presence feature; `app.ts` hands it in. */
export interface DevicePresence {
  readonly status: (deviceKey: number) => Status
  readonly lastSeenMs: (deviceKey: number) => number | null
  readonly forget: (deviceKey: number) => void
}
