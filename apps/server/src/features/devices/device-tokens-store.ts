import type { TokenScope } from '@astropelago/contract/devices'
import type { RowTimes } from '../../unwritten-times.ts'

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

export interface NewDeviceToken extends Omit<DeviceTokenRecord, 'key' | 'lastUsedMs'> {
  readonly deviceKey: number
  readonly tokenHash: Uint8Array
}

type RenewedToken = Pick<NewDeviceToken, 'id' | 'tokenHash' | 'start'>

interface TokenRenewal<Renewed> extends Pick<NewDeviceToken, 'deviceKey' | 'label' | 'scope'> {
  readonly deviceId: string
  readonly deviceLabel: string
  readonly renewed: Renewed
}

/** Tokens as columns: a million of them must not become a million objects. */
export interface TokenPage {
  readonly tokenKeys: readonly number[]
  readonly deviceKeys: readonly number[]
  readonly relayKeys: readonly number[]
  readonly tokenHashes: Uint8Array
}

export interface DeviceTokensStore {
  readonly insertToken: (
    token: NewDeviceToken,
    limit: number,
  ) => Promise<'inserted' | 'limit_reached' | 'device_missing'>
  /** Oldest first. */
  readonly listTokens: (deviceKey: number) => Promise<readonly DeviceTokenRecord[]>
  readonly deleteToken: (
    userKey: number,
    id: string,
  ) => Promise<{ readonly deviceId: string } | undefined>
  /** Replaces all tokens of a user's devices, all or nothing. Returns the renewals in the order of the devices. */
  readonly renewTokens: <Renewed extends RenewedToken>(
    userKey: number,
    createdMs: number,
    renew: () => Renewed,
  ) => Promise<readonly TokenRenewal<Renewed>[]>
  readonly loadTokens: () => AsyncIterable<TokenPage>
  readonly readTokens: (deviceKeys: readonly number[]) => Promise<readonly StoredToken[]>
  readonly findToken: (tokenHash: Uint8Array) => Promise<FoundToken | undefined>
  readonly recordTokenUses: (uses: RowTimes) => Promise<void>
}
