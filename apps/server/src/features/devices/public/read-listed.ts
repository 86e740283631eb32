import { setImmediate as otherWork } from 'node:timers/promises'
import { publicDevicesListed } from '@astropelago/contract/limits'
import type { PublicDevice } from '@astropelago/contract/devices'
import type { DevicePresence } from '../device-presence.ts'
import { newestFirst } from './newest-first.ts'
import type { PublicDevices } from './public-devices.ts'

/** Devices read between two turns of other work: about 1 ms. */
const devicesPerTurn = 500

/** One of those that the public list has, with what it does not say of it. */
export interface ListedDevice extends PublicDevice {
  readonly publicSinceMs: number
  readonly lastSeenMs: number | null
}

interface ReadListedParts {
  readonly devices: PublicDevices
  readonly presence: Pick<DevicePresence, 'lastSeenMs'>
}

/** The public list's devices, those last seen first, as they are when each part is read. */
export async function* readListed({
  devices,
  presence,
}: ReadListedParts): AsyncGenerator<readonly ListedDevice[]> {
  const keys = await newestFirst({
    has: (key) => devices.has(key),
    count: devices.count,
    keyBound: devices.keyBound,
    lastSeenMs: (key) => presence.lastSeenMs(key),
    limit: publicDevicesListed,
  })
  for (let from = 0; from < keys.length; from += devicesPerTurn) {
    const part: ListedDevice[] = []
    for (const key of keys.subarray(from, from + devicesPerTurn)) {
      const device = devices.read(key)
      if (device !== undefined) part.push({ ...device, lastSeenMs: presence.lastSeenMs(key) })
    }
    yield part
    await otherWork()
  }
}
