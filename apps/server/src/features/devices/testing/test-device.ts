import type { DeviceRecord } from '../devices-store.ts'

/** A public device as a store would return it. */
export function testDevice(key: number, details: Partial<DeviceRecord> = {}): DeviceRecord {
  return {
    key,
    id: `id-${key}`,
    label: `Device ${key}`,
    lat: 1,
    lon: 2,
    precision: 'exact',
    isShared: 0,
    link: null,
    visibility: 'public',
    publicSinceMs: 3,
    createdMs: 3,
    ownerDisabledMs: null,
    hiddenMs: null,
    hiddenReason: null,
    schedule: null,
    ...details,
  }
}

/** Devices a page at a time, as the store loads them. */
export async function* pagesOf(
  devices: readonly DeviceRecord[],
): AsyncGenerator<readonly DeviceRecord[]> {
  for (const device of devices) yield [device]
}
