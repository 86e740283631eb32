import type { DeviceKind } from '@astropelago/contract/operator'
import type { DeviceRecord } from '../devices-store.ts'

export interface DevicesAsked {
  /** In its label, or its owner's username, without regard to case. */
  readonly search?: string | undefined
  readonly only?: DeviceKind | undefined
  /** The id of the last one that is known; one that is gone ends the list. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Devices as operators look for them. */
export interface OperatorDevicesStore {
  /** The newest first. */
  readonly list: (
    asked: DevicesAsked,
  ) => Promise<readonly { readonly device: DeviceRecord; readonly owner: string }[]>
}
