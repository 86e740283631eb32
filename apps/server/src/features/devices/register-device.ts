import { randomUUID } from 'node:crypto'
import type { DeviceDetails } from '@astropelago/contract/devices'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { DeviceLimit } from './device-limit.ts'
import type { DeviceRecord, DevicesStore } from './devices-store.ts'

interface RegisterDeviceDeps {
  readonly store: DevicesStore
  readonly clock: Clock
  readonly limitOf: DeviceLimit
}

/** @throws DomainError `device_limit` */
export async function registerDevice(
  { store, clock, limitOf }: RegisterDeviceDeps,
  user: Pick<UserCaller, 'userKey' | 'isDemo'>,
  details: DeviceDetails,
): Promise<DeviceRecord> {
  const device = await store.insert(
    { ...details, id: randomUUID(), userKey: user.userKey, createdMs: clock() },
    limitOf(user),
  )
  if (device === undefined) throw new DomainError('device_limit')
  return device
}
