import { randomUUID } from 'node:crypto'
import type { TokenScope } from '@astropelago/contract/devices'
import { tokensPerDevice } from '@astropelago/contract/limits'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import { hashToken, makeToken } from '../../secret-token.ts'
import type { DevicesStore } from './devices-store.ts'

/** A prefix that secret scanners recognise. */
const deviceTokenPrefix = 'apd_'
/** Shows enough characters to tell two tokens apart. The rest keeps 220 bits of strength. */
const startLength = deviceTokenPrefix.length + 6

/** Whether a text has the form of a token. */
export function isDeviceToken(text: string): boolean {
  return /^apd_[\w-]{43}$/.test(text)
}

export interface CreatedDeviceToken {
  readonly id: string
  /** The secret. It is not stored and can't be read again. */
  readonly token: string
  readonly label: string | null
  readonly scope: TokenScope
}

interface NewTokenDetails {
  readonly deviceId: string
  readonly label: string | null
  readonly scope: TokenScope
}

/** The secret, and the record to store. */
export function makeDeviceToken() {
  const token = makeToken(deviceTokenPrefix)
  return {
    id: randomUUID(),
    token,
    tokenHash: hashToken(token),
    start: token.slice(0, startLength),
  }
}

/** @throws DomainError `not_found`, `token_limit` */
export async function createDeviceToken(
  { store, clock }: { readonly store: DevicesStore; readonly clock: Clock },
  userKey: number,
  { deviceId, label, scope }: NewTokenDetails,
): Promise<CreatedDeviceToken> {
  const device = await store.findOwn(userKey, deviceId)
  if (device === undefined) throw new DomainError('not_found')
  const { token, ...kept } = makeDeviceToken()
  const outcome = await store.insertToken(
    { ...kept, deviceKey: device.key, label, scope, createdMs: clock() },
    tokensPerDevice,
  )
  // The device was deleted between the two calls.
  if (outcome === 'device_missing') throw new DomainError('not_found')
  if (outcome === 'limit_reached') throw new DomainError('token_limit')
  return { id: kept.id, token, label, scope }
}
