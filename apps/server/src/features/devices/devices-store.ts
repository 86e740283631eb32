import type { DeviceChanges, DeviceDetails, TokenScope } from '@astropelago/contract/devices'
import type { Figure } from '@astropelago/contract/operator'
import type { Precision } from '@astropelago/contract/place'
import type { RowTimes } from '../../unwritten-times.ts'

export interface DeviceRecord {
  /** Internal; people see `id`. */
  readonly key: number
  readonly id: string
  readonly label: string
  /** The place as entered. Only the owner sees it, unless `precision` is exact. */
  readonly lat: number
  readonly lon: number
  readonly precision: Precision
  readonly link: string | null
  readonly visibility: 'public' | 'private'
  /** Null while the device is private. */
  readonly publicSinceMs: number | null
  readonly createdMs: number
  /** When an operator turned the owner off; null while the owner is on. */
  readonly ownerDisabledMs: number | null
  /** Since when and why an operator hides the device from everybody but its owner; null if none does. */
  readonly hiddenMs: number | null
  readonly hiddenReason: string | null
}

/** A device found by its id. */
export interface FoundDevice {
  readonly device: DeviceRecord
  /** Whether the caller owns it. */
  readonly isOwn: boolean
  /** Null while the device is private. */
  readonly publicSinceMs: number | null
  /** The owner's shown name; null if it is not public. */
  readonly owner: string | null
}

/** The public data of a device. */
export interface ShownDevice {
  readonly key: number
  readonly id: string
  readonly label: string
  readonly publicSinceMs: number
}

export interface NewDevice extends DeviceDetails {
  readonly id: string
  readonly userKey: number
  readonly createdMs: number
}

/** A token that is created together with its device. */
export interface ImportedToken {
  readonly id: string
  readonly deviceId: string
  readonly tokenHash: Uint8Array
  readonly start: string
  readonly createdMs: number
}

/** An import of one user's devices. */
export interface DeviceImport {
  readonly userKey: number
  readonly created: readonly NewDevice[]
  readonly updated: readonly { readonly id: string; readonly changes: DeviceChanges }[]
  readonly tokens: readonly ImportedToken[]
  readonly atMs: number
}

export interface DeviceTokenRecord {
  readonly key: number
  readonly id: string
  readonly label: string | null
  readonly scope: TokenScope
  readonly start: string
  readonly createdMs: number
  readonly lastUsedMs: number | null
}

interface FoundToken {
  readonly tokenKey: number
  readonly deviceKey: number
  readonly scope: TokenScope
}

export interface StoredToken extends FoundToken {
  readonly tokenHash: Uint8Array
}

export interface NewDeviceToken {
  readonly id: string
  readonly deviceKey: number
  readonly tokenHash: Uint8Array
  readonly start: string
  readonly label: string | null
  readonly scope: TokenScope
  readonly createdMs: number
}

/** A token that replaces another one. It keeps the label and scope of the old one. */
export type RenewedDeviceToken = Pick<NewDeviceToken, 'id' | 'tokenHash' | 'start'>

export interface TokenRenewal {
  readonly deviceKey: number
  readonly deviceId: string
  readonly deviceLabel: string
  readonly label: string | null
  readonly scope: TokenScope
  readonly renewed: RenewedDeviceToken
}

/** Tokens as columns: a million of them must not become a million objects. */
export interface TokenPage {
  readonly tokenKeys: readonly number[]
  readonly deviceKeys: readonly number[]
  /** The few tokens of scope `relay`. */
  readonly relayKeys: readonly number[]
  /** The hashes, concatenated. */
  readonly tokenHashes: Uint8Array
}

/**
 * Devices and their tokens. Methods that take a user's key touch only that user's devices. While a user is
 * turned off, others can't find the user's devices, and their tokens are invalid.
 */
export interface DevicesStore {
  /**
   * Undefined if the user already has `limit` devices, even under simultaneous calls.
   * @throws TotalReached if the server has its maximum
   */
  readonly insert: (device: NewDevice, limit: number) => Promise<DeviceRecord | undefined>
  /**
   * Imports everything or nothing. Keeps to the limits under simultaneous calls, like `insert`.
   * @returns the created and changed devices
   * @throws TotalReached
   */
  readonly importDevices: (
    devices: DeviceImport,
    limit: number,
  ) => Promise<readonly DeviceRecord[] | 'limit_reached' | 'device_missing'>
  /** Oldest first. */
  readonly listOwn: (userKey: number) => Promise<readonly DeviceRecord[]>
  readonly findOwn: (userKey: number, id: string) => Promise<DeviceRecord | undefined>
  /** Public devices, and the user's own; `userKey` is null for a visitor. */
  readonly find: (userKey: number | null, id: string) => Promise<FoundDevice | undefined>
  /** The user's public devices among these ids, in no particular order. */
  readonly listShown: (userKey: number, ids: readonly string[]) => Promise<readonly ShownDevice[]>
  readonly update: (
    userKey: number,
    id: string,
    changes: DeviceChanges,
    atMs: number,
  ) => Promise<DeviceRecord | undefined>
  /**
   * Deletes the device with its tokens and its presence. A `userKey` of null allows any owner, for
   * operators.
   */
  readonly delete: (userKey: number | null, id: string) => Promise<DeviceRecord | undefined>
  /** Devices of any owner, with their owners' usernames, in no particular order. */
  readonly readById: (ids: readonly string[]) => Promise<
    readonly {
      readonly device: DeviceRecord
      readonly username: string
    }[]
  >
  /**
   * Hides any user's device, or shows it again with null. A device that is hidden already keeps the earlier
   * time.
   */
  readonly setHidden: (
    id: string,
    hidden: { readonly atMs: number; readonly reason: string } | null,
  ) => Promise<DeviceRecord | undefined>
  /** The existing devices among these keys, with their owners, in no particular order. */
  readonly readOwners: (
    keys: readonly number[],
  ) => Promise<readonly { readonly key: number; readonly id: string; readonly userKey: number }[]>
  /** The existing devices among these keys, in no particular order. */
  readonly read: (keys: readonly number[]) => Promise<readonly DeviceRecord[]>
  /** Counts the devices of all users. */
  readonly count: () => Promise<number>
  /** All public devices in the order of their keys, a page at a time. */
  readonly loadPublic: () => AsyncIterable<readonly DeviceRecord[]>

  /** Never exceeds `limit` tokens for a device, even under simultaneous calls. */
  readonly insertToken: (
    token: NewDeviceToken,
    limit: number,
  ) => Promise<'inserted' | 'limit_reached' | 'device_missing'>
  /** Oldest first. */
  readonly listTokens: (deviceKey: number) => Promise<readonly DeviceTokenRecord[]>
  /** @returns the id of the token's device */
  readonly deleteToken: (
    userKey: number,
    id: string,
  ) => Promise<{ readonly deviceId: string } | undefined>
  /**
   * Replaces all tokens of a user's devices by new ones from `renew`, all or nothing.
   * @returns the renewals in the order of the devices
   */
  readonly renewTokens: <Renewed extends RenewedDeviceToken>(
    userKey: number,
    createdMs: number,
    renew: () => Renewed,
  ) => Promise<readonly (TokenRenewal & { readonly renewed: Renewed })[]>
  readonly countOwn: (userKey: number) => Promise<number>
  /** All tokens, a page at a time. */
  readonly loadTokens: () => AsyncIterable<TokenPage>
  readonly readTokens: (deviceKeys: readonly number[]) => Promise<readonly StoredToken[]>
  readonly findToken: (tokenHash: Uint8Array) => Promise<FoundToken | undefined>
  /** @param uses times by token key */
  readonly noteTokenUses: (uses: RowTimes) => Promise<void>
  /** For operators. */
  readonly figures: () => Promise<readonly Figure[]>
}
