import { DomainError } from '../../domain-error.ts'
import type { CachedTokens } from './cached-tokens.ts'
import type { DevicesStore } from './devices-store.ts'

interface EndDeviceTokenDeps {
  readonly store: Pick<DevicesStore, 'deleteToken'>
  readonly tokens: Pick<CachedTokens, 'forgetToken'>
}

/**
 * Revokes a token of one of the user's devices.
 * @returns the id of the device
 * @throws DomainError `not_found`
 */
export async function endDeviceToken(
  { store, tokens }: EndDeviceTokenDeps,
  userKey: number,
  id: string,
): Promise<{ readonly deviceId: string }> {
  const deleted = await store.deleteToken(userKey, id)
  if (deleted === undefined) throw new DomainError('not_found')
  tokens.forgetToken(deleted.tokenKey)
  return deleted
}
