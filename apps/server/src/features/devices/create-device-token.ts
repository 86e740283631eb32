import { randomUUID } from 'node:crypto'
import type { TokenScope } from '@astropelago/contract/devices'
import { tokensPerDevice } from '@astropelago/contract/limits'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import { hashToken, makeToken } from '../../secret-token.ts'
import type { DeviceTokensStore } from './device-tokens-store.ts'
import type { DevicesStore } from './devices-store.ts'

const deviceTokenPrefix = 'apd_'
/** Enough characters to tell two tokens apart. The rest keeps 220 bits of strength. */
const startLength = deviceTokenPrefix.length + 6

export function isDeviceToken(text: string): boolean {
  return /^apd_[\w-]{43}$/.test(text)
}

/** The secret, which can't be read again, and the record to store. */
export function makeDeviceToken() {
  const token = makeToken(deviceTokenPrefix)
  const start = token.slice(0, startLength)
  return { id: randomUUID(), token, tokenHash: hashToken(token), start }
}

interface CreateDeviceTokenParts {
  readonly store: Pick<DevicesStore, 'findOwn'>
  readonly tokens: Pick<DeviceTokensStore, 'insertToken'>
  readonly clock: Clock
}

/** @throws DomainError `not_found`, `token_limit` */
export async function createDeviceToken(
  { store, tokens, clock }: CreateDeviceTokenParts,
  userKey: number,
  { deviceId, label, scope }: { deviceId: string; label: string | null; scope: TokenScope },
) {
  const device = await store.findOwn(userKey, deviceId)
  if (device === undefined) throw new DomainError('not_found')
  const { token, ...stored } = makeDeviceToken()
  const outcome = await tokens.insertToken(
    { ...stored, deviceKey: device.key, label, scope, createdMs: clock() },
    tokensPerDevice,
  )
  // The device was deleted between the two calls.
  if (outcome === 'device_missing') throw new DomainError('not_found')
  if (outcome === 'limit_reached') throw new DomainError('token_limit')
  return { id: stored.id, token, label, scope }
}
