import type { DeviceKind, Figure } from '@astropelago/contract/operator'
import type { DeviceRecord } from '../devices-store.ts'

interface DevicesAsked {
  /** Matches the label or the owner's username, ignoring case. */
  readonly search?: string | undefined
  readonly only?: DeviceKind | undefined
  /** The last id of the previous page. If that device no longer exists, the list ends. */
  readonly after?: string | undefined
  readonly limit: number
}

export interface OperatorDevicesStore {
  /** Newest first. */
  readonly list: (
    asked: DevicesAsked,
  ) => Promise<readonly { readonly device: DeviceRecord; readonly owner: string }[]>
  readonly count: () => Promise<number>
  readonly figures: () => Promise<readonly Figure[]>
}
