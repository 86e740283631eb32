import { randomUUID } from 'node:crypto'
import { tokensPerDevice } from '@astropelago/contract/limits'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import { deviceTokenStart, hashDeviceToken, makeDeviceToken } from './device-token.ts'
import type { DevicesStore } from './devices-store.ts'

export interface CreatedDeviceToken {
  readonly id: string
  /** The secret. It is not kept: nobody can read it again. */
  readonly token: string
  readonly label: string | null
}

/** @throws DomainError `not_found`, `token_limit` */
export async function createDeviceToken(
  { store, clock }: { readonly store: DevicesStore; readonly clock: Clock },
  userKey: number,
  { deviceId, label }: { readonly deviceId: string; readonly label: string | null },
): Promise<CreatedDeviceToken> {
  const device = await store.findOwn(userKey, deviceId)
  if (device === undefined) throw new DomainError('not_found')
  const id = randomUUID()
  const token = makeDeviceToken()
  const outcome = await store.insertToken(
    {
      id,
      deviceKey: device.key,
      tokenHash: hashDeviceToken(token),
      start: deviceTokenStart(token),
      label,
      createdMs: clock(),
    },
    tokensPerDevice,
  )
  // Deleted between the two calls.
  if (outcome === 'device_missing') throw new DomainError('not_found')
  if (outcome === 'limit_reached') throw new DomainError('token_limit')
  return { id, token, label }
}
