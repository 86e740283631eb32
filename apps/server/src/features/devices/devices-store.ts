import type { DeviceChanges, DeviceDetails } from '@astropelago/contract/devices'

/** `lat` and `lon` are the place as entered. Only the owner sees it, unless `precision` is exact. */
export interface DeviceRecord extends Readonly<Omit<DeviceDetails, 'schedule' | 'isShared'>> {
  readonly key: number
  /** As JSON; null if it follows the window of the server. */
  readonly schedule: string | null
  /** 1 if other installations may show it while it is public, else 0. */
  readonly isShared: number
  readonly id: string
  /** Null while the device is private. */
  readonly publicSinceMs: number | null
  readonly createdMs: number
  readonly ownerDisabledMs: number | null
  /** Since when and why an operator hides the device from everybody but its owner. */
  readonly hiddenMs: number | null
  readonly hiddenReason: string | null
}

export interface FoundDevice {
  readonly device: DeviceRecord
  readonly isOwn: boolean
  readonly owner: string | null
}

export interface NewDevice extends DeviceDetails {
  readonly id: string
  readonly userKey: number
  readonly createdMs: number
}

/** A user's key limits a method to that user's devices. Others can't find devices of a disabled user. */
export interface DevicesStore {
  /** Undefined if the user has `limit` devices, even under simultaneous calls. @throws TotalReached */
  readonly insert: (device: NewDevice, limit: number) => Promise<DeviceRecord | undefined>
  readonly listOwn: (userKey: number) => Promise<readonly DeviceRecord[]>
  readonly countOwn: (userKey: number) => Promise<number>
  readonly findOwn: (userKey: number, id: string) => Promise<DeviceRecord | undefined>
  /** Public devices, and the user's own; `userKey` is null for a visitor. */
  readonly find: (userKey: number | null, id: string) => Promise<FoundDevice | undefined>
  readonly listShown: (
    userKey: number,
    ids: readonly string[],
  ) => Promise<
    readonly (Pick<DeviceRecord, 'key' | 'id' | 'label'> & { readonly publicSinceMs: number })[]
  >
  readonly update: (
    userKey: number,
    id: string,
    changes: DeviceChanges,
    atMs: number,
  ) => Promise<DeviceRecord | undefined>
  /** Deletes the device with its tokens and its presence. A `userKey` of null allows any owner. */
  readonly delete: (userKey: number | null, id: string) => Promise<DeviceRecord | undefined>
  readonly readById: (
    ids: readonly string[],
  ) => Promise<readonly { readonly device: DeviceRecord; readonly username: string }[]>
  /** Hides any user's device, or shows it again with null. A hidden device keeps the earlier time. */
  readonly setHidden: (
    id: string,
    hidden: { readonly atMs: number; readonly reason: string } | null,
  ) => Promise<DeviceRecord | undefined>
  readonly read: (keys: readonly number[]) => Promise<readonly DeviceRecord[]>
  readonly readOwners: (
    keys: readonly number[],
  ) => Promise<readonly { readonly key: number; readonly id: string; readonly userKey: number }[]>
  readonly loadPublic: () => AsyncIterable<readonly DeviceRecord[]>
}
