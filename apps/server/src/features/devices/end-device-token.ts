import { DomainError } from '../../domain-error.ts'
import type { DevicesStore } from './devices-store.ts'

/**
 * Revokes a token of one of the user's devices.
 * @returns the id of the device
 * @throws DomainError `not_found`
 */
export async function endDeviceToken(
  store: Pick<DevicesStore, 'deleteToken'>,
  userKey: number,
  id: string,
): Promise<{ readonly deviceId: string }> {
  const deleted = await store.deleteToken(userKey, id)
  if (deleted === undefined) throw new DomainError('not_found')
  return deleted
}
