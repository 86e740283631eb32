import { randomUUID } from 'node:crypto'
import type { DeviceDetails } from '@astropelago/contract/devices'
import { devicesPerDemoUser, devicesPerUser } from '@astropelago/contract/limits'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { DeviceRecord, DevicesStore } from './devices-store.ts'

interface Owner {
  readonly userKey: number
  readonly isDemo: boolean
}

/** @throws DomainError `device_limit` */
export async function registerDevice(
  { store, clock }: { readonly store: DevicesStore; readonly clock: Clock },
  { userKey, isDemo }: Owner,
  details: DeviceDetails,
): Promise<DeviceRecord> {
  const limit = isDemo ? devicesPerDemoUser : devicesPerUser
  const device = await store.insert(
    { ...details, id: randomUUID(), userKey, createdMs: clock() },
    limit,
  )
  if (device === undefined) throw new DomainError('device_limit')
  return device
}
