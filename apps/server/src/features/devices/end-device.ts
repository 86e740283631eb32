import { DomainError } from '../../domain-error.ts'
import type { CachedTokens } from './cached-tokens.ts'
import type { DevicePresence } from './device-presence.ts'
import type { DeviceRecord, DevicesStore } from './devices-store.ts'
import type { Publisher } from './public/publisher.ts'

export interface ForgetDeviceDeps {
  readonly tokens: Pick<CachedTokens, 'forgetDevice'>
  readonly presence: Pick<DevicePresence, 'forget'>
  readonly publisher: Pick<Publisher, 'noteEnd'>
}

/**
 * Deletes a user's device with its tokens and its presence. With null as `userKey`, deletes anybody's, for
 * operators.
 * @throws DomainError `not_found`
 */
export async function endDevice(
  store: Pick<DevicesStore, 'delete'>,
  userKey: number | null,
  id: string,
): Promise<DeviceRecord> {
  const device = await store.delete(userKey, id)
  if (device === undefined) throw new DomainError('not_found')
  return device
}

/** Clears a device from memory, once storage no longer has it. */
export function forgetDevice(
  { tokens, presence, publisher }: ForgetDeviceDeps,
  deviceKey: number,
): void {
  tokens.forgetDevice(deviceKey)
  presence.forget(deviceKey)
  publisher.noteEnd(deviceKey)
}
