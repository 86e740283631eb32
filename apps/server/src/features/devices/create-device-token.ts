import { randomUUID } from 'node:crypto'
import type { TokenScope } from '@astropelago/contract/devices'
import { tokensPerDevice } from '@astropelago/contract/limits'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import { hashToken, makeToken } from '../../secret-token.ts'
import type { DevicesStore } from './devices-store.ts'

/** Secret scanners recognise it. */
const deviceTokenPrefix = 'apd_'
/** As many characters as people need to tell two tokens apart; the rest stays 220 bits strong. */
const startLength = deviceTokenPrefix.length + 6

/** Whether a text may be a token at all. */
export function isDeviceToken(text: string): boolean {
  return /^apd_[\w-]{43}$/.test(text)
}

export interface CreatedDeviceToken {
  readonly id: string
  /** The secret. It is not kept: nobody can read it again. */
  readonly token: string
  readonly label: string | null
  readonly scope: TokenScope
}

interface NewTokenDetails {
  readonly deviceId: string
  readonly label: string | null
  readonly scope: TokenScope
}

/** The secret, and what is kept of it. */
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
  // Deleted between the two calls.
  if (outcome === 'device_missing') throw new DomainError('not_found')
  if (outcome === 'limit_reached') throw new DomainError('token_limit')
  return { id: kept.id, token, label, scope }
}
