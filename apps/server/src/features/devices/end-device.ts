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

interface EndDeviceDeps extends ForgetDeviceDeps {
  readonly store: Pick<DevicesStore, 'delete'>
}

/**
 * Deletes a user's device with its tokens and its presence. With null as `userKey`, deletes anybody's, for
 * operators.
 * @throws DomainError `not_found`
 */
export async function endDevice(
  deps: EndDeviceDeps,
  userKey: number | null,
  id: string,
): Promise<DeviceRecord> {
  const device = await deps.store.delete(userKey, id)
  if (device === undefined) throw new DomainError('not_found')
  forgetDevice(deps, device.key)
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
