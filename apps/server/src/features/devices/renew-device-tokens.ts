import type { Clock } from '../../clock.ts'
import { makeDeviceToken, type CreatedDeviceToken } from './create-device-token.ts'
import type { DevicesStore } from './devices-store.ts'

interface RenewDeviceTokensDeps {
  readonly store: Pick<DevicesStore, 'renewTokens'>
  readonly clock: Clock
}

export interface RenewedToken extends CreatedDeviceToken {
  readonly deviceId: string
  readonly deviceLabel: string
}

/**
 * Replaces every token of the user's devices, for a user who does not know which of them leaked. None of
 * the old tokens works once this resolves.
 */
export async function renewDeviceTokens(
  { store, clock }: RenewDeviceTokensDeps,
  userKey: number,
): Promise<RenewedToken[]> {
  const renewals = await store.renewTokens(userKey, clock(), makeDeviceToken)
  return renewals.map(({ deviceId, deviceLabel, label, scope, renewed: { id, token } }) => ({
    deviceId,
    deviceLabel,
    id,
    token,
    label,
    scope,
  }))
}
