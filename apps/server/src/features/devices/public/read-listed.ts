import { setImmediate as otherWork } from 'node:timers/promises'
import { publicDevicesListed } from '@astropelago/contract/limits'
import type { PublicDevice } from '@astropelago/contract/devices'
import type { DevicePresence } from '../device-presence.ts'
import { newestFirst } from './newest-first.ts'
import type { PublicDevices } from './public-devices.ts'

/** Devices read in one turn of the event loop: about 1 ms. */
const devicesPerTurn = 500

/** A device of the public list, with data that the list does not show. */
export interface ListedDevice extends PublicDevice {
  readonly publicSinceMs: number
  readonly lastSeenMs: number | null
}

interface ReadListedParts {
  readonly devices: PublicDevices
  readonly presence: Pick<DevicePresence, 'lastSeenMs'>
}

/** The devices of the public list, last seen first. Each part is current when it is read. */
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
