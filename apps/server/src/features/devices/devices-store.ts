import type { DeviceChanges, DeviceDetails, TokenScope } from '@astropelago/contract/devices'
import type { Figure } from '@astropelago/contract/operator'
import type { Precision } from '@astropelago/contract/place'
import type { RowTimes } from '../../unwritten-times.ts'

export interface DeviceRecord {
  /** Internal; people see `id`. */
  readonly key: number
  readonly id: string
  readonly label: string
  /** The place as its owner said it, which is for the owner alone unless `precision` is exact. */
  readonly lat: number
  readonly lon: number
  readonly precision: Precision
  readonly link: string | null
  readonly visibility: 'public' | 'private'
  /** Null while it is private. */
  readonly publicSinceMs: number | null
  readonly createdMs: number
  /** When its owner was turned off by an operator; null while the owner is on. */
  readonly ownerDisabledMs: number | null
  /** Since when an operator hides it from everybody but its owner, and why; null where none does. */
  readonly hiddenMs: number | null
  readonly hiddenReason: string | null
}

/** A device that somebody asks for by its id. */
export interface FoundDevice {
  readonly device: DeviceRecord
  /** Whether it is theirs who ask. */
  readonly isOwn: boolean
  /** Null while it is private. */
  readonly publicSinceMs: number | null
  /** What its owner is called; null where not everybody may know. */
  readonly owner: string | null
}

/** What everybody may know of one. */
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

/** A token of a device that is made with it. */
export interface ImportedToken {
  readonly id: string
  readonly deviceId: string
  readonly tokenHash: Uint8Array
  readonly start: string
  readonly createdMs: number
}

/** Many devices of one user. */
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

/** A token in the place of another one, whose label and scope it keeps. */
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
  /** Those of scope `relay`: few. */
  readonly relayKeys: readonly number[]
  /** One after the other. */
  readonly tokenHashes: Uint8Array
}

/**
 * Devices and their tokens. Whatever names a user touches that user's own devices only. Of a user who is
 * turned off, devices are not found by others and tokens stand for nothing.
 */
export interface DevicesStore {
  /**
   * Undefined when the user has `limit` devices already; holds under simultaneous calls.
   * @throws TotalReached when the server has as many as it may
   */
  readonly insert: (device: NewDevice, limit: number) => Promise<DeviceRecord | undefined>
  /**
   * All of it or nothing; holds under simultaneous calls as `insert` does.
   * @returns what was made or changed
   * @throws TotalReached
   */
  readonly importDevices: (
    devices: DeviceImport,
    limit: number,
  ) => Promise<readonly DeviceRecord[] | 'limit_reached' | 'device_missing'>
  /** Oldest first. */
  readonly listOwn: (userKey: number) => Promise<readonly DeviceRecord[]>
  readonly findOwn: (userKey: number, id: string) => Promise<DeviceRecord | undefined>
  /** Public devices, and one's own; `userKey` is null for a visitor. */
  readonly find: (userKey: number | null, id: string) => Promise<FoundDevice | undefined>
  /** Those of a user that everybody may know of, of these ids; in no order. */
  readonly listShown: (userKey: number, ids: readonly string[]) => Promise<readonly ShownDevice[]>
  readonly update: (
    userKey: number,
    id: string,
    changes: DeviceChanges,
    atMs: number,
  ) => Promise<DeviceRecord | undefined>
  /** Deletes the device with its tokens and its presence; with null whoever's it is, as operators do. */
  readonly delete: (userKey: number | null, id: string) => Promise<DeviceRecord | undefined>
  /** Whoever's these are, with the names of their owners; in no order. */
  readonly readById: (ids: readonly string[]) => Promise<
    readonly {
      readonly device: DeviceRecord
      readonly username: string
    }[]
  >
  /** Hides whoever's device, or with null shows it again. One that is hidden keeps its time. */
  readonly setHidden: (
    id: string,
    hidden: { readonly atMs: number; readonly reason: string } | null,
  ) => Promise<DeviceRecord | undefined>
  /** Those of these keys that are there, and whose they are; in no order. */
  readonly readOwners: (
    keys: readonly number[],
  ) => Promise<readonly { readonly key: number; readonly id: string; readonly userKey: number }[]>
  /** Those of these keys that are there, in no order. */
  readonly read: (keys: readonly number[]) => Promise<readonly DeviceRecord[]>
  /** All there are, of all users. */
  readonly count: () => Promise<number>
  /** All public devices, a page at a time, by key. */
  readonly loadPublic: () => AsyncIterable<readonly DeviceRecord[]>

  /** Never more than `limit` for a device, also under simultaneous calls. */
  readonly insertToken: (
    token: NewDeviceToken,
    limit: number,
  ) => Promise<'inserted' | 'limit_reached' | 'device_missing'>
  /** Oldest first. */
  readonly listTokens: (deviceKey: number) => Promise<readonly DeviceTokenRecord[]>
  /** @returns the key of what was deleted, and whose it was */
  readonly deleteToken: (
    userKey: number,
    id: string,
  ) => Promise<{ readonly tokenKey: number; readonly deviceId: string } | undefined>
  /**
   * Deletes all tokens of a user's devices and inserts one that `renew` makes in the place of each, all
   * or nothing; in the order of the devices.
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
  /** @param uses by the keys of tokens */
  readonly noteTokenUses: (uses: RowTimes) => Promise<void>
  /** For operators. */
  readonly figures: () => Promise<readonly Figure[]>
}
