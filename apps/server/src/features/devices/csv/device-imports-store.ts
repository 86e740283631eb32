import type { DeviceChanges } from '@astropelago/contract/devices'
import type { NewDeviceToken } from '../device-tokens-store.ts'
import type { DeviceRecord, NewDevice } from '../devices-store.ts'

/** A token that is created together with its device. */
export interface ImportedToken extends Pick<
  NewDeviceToken,
  'id' | 'tokenHash' | 'start' | 'createdMs'
> {
  readonly deviceId: string
}

/** An import of one user's devices. */
export interface DeviceImport {
  readonly userKey: number
  readonly created: readonly NewDevice[]
  readonly updated: readonly { readonly id: string; readonly changes: DeviceChanges }[]
  readonly tokens: readonly ImportedToken[]
  readonly atMs: number
}

export interface DeviceImportsStore {
  /**
   * Imports everything or nothing. Never exceeds `limit` devices for the user, even under simultaneous calls.
   * @returns the created and changed devices
   * @throws TotalReached
   */
  readonly importDevices: (
    devices: DeviceImport,
    limit: number,
  ) => Promise<readonly DeviceRecord[] | 'limit_reached' | 'device_missing'>
}
